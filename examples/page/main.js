import { createBrowserExecutor, evaluate, learn, modelBlob, openSource } from 'orthodict/browser';

const [input, text, link] = ['input', 'p', 'a'].map((name) => document.querySelector(name));
const executor = await createBrowserExecutor(); // all cores

input.addEventListener('change', async () => {
  try {
    const source = await openSource(input.files[0]); // read in chunks if it is large
    const onProgress = ({ solver, iteration }) => (text.textContent = `${solver}, step ${iteration}`);
    const result = await learn(source, { center: true }, { executor, onProgress });
    const { model, pca } = await evaluate(result.dictionary, source, { keep: [5] }, { executor });
    const kept = ({ missing }) => `${(100 * (1 - missing[0])).toFixed(1)} %`;
    text.textContent = `5 numbers per row keep ${kept(model)} of the energy; of principal components, ${kept(pca)}.`;
    link.href = URL.createObjectURL(await modelBlob(result));
    link.hidden = false;
  } catch (error) {
    text.textContent = error.message; // says what to do
  }
});
