// `require` of a package that is an ES module.
const { generate } = require('orthodict');
const { learn } = require('orthodict/node');

const { samples } = generate({ samples: 1000, features: 5, theta: 0.3, seed: 1 });
learn(samples, { maxIterations: 5 }, { threads: 1 }).then(({ dictionary }) => console.log('ok', dictionary.components));
