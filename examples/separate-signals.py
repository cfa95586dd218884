"""Four signals, mixed and separated again: orthodict learn in two ways beside scikit-learn's FastICA.

Makes the signals, mixes them into mixture.wav, and prints the signal-to-interference ratio of every source in decibels:
the power of the source in its estimate over the power of all others in it. Needs NumPy, scikit-learn, and orthodict on
the PATH or in the folder it is run in.

    python3 separate-signals.py [seed]
"""
import json
import shutil
import subprocess
import sys
import tempfile
import wave

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.decomposition import FastICA

# on the path, or that of the checkout this is run in
PROGRAM = ["orthodict"] if shutil.which("orthodict") else ["npx", "--no-install", "orthodict"]

RATE, SECONDS = 8000, 5


def sources(random):
    """speech-like: noise in syllables with pauses; chirp; plucked: decaying tones; engine: noise that swells."""
    time = np.arange(RATE * SECONDS) / RATE
    noise = lambda keep: np.convolve(random.normal(size=time.size), keep ** np.arange(20), "same")
    syllables = np.clip(np.sin(2 * np.pi * 3.1 * time), 0, None) ** 2 * (np.sin(2 * np.pi * 0.4 * time) > -0.3)
    chirp = np.sin(2 * np.pi * (200 + 120 * time) * time)
    plucked = sum(
        np.where(time >= at, np.exp(-6 * (time - at)) * np.sin(2 * np.pi * pitch * (time - at)), 0)
        for at, pitch in zip(np.arange(0, SECONDS, 0.25), random.choice([262, 294, 330, 392, 440], 4 * SECONDS))
    )
    engine = noise(0.5) * (1 + 0.8 * np.sin(2 * np.pi * 0.9 * time))
    signals = {"speech-like": syllables * noise(0.8), "chirp": chirp, "plucked": plucked, "engine": engine}
    return {name: (signal - signal.mean()) / signal.std() for name, signal in signals.items()}


def write_wav(path, frames):
    """16-bit PCM."""
    with wave.open(path, "wb") as file:
        file.setparams((frames.shape[1], 2, RATE, 0, "NONE", ""))
        file.writeframes((frames * 32767).astype("<i2").tobytes())


def by_orthodict(path, *flags):
    with tempfile.NamedTemporaryFile(suffix=".npz") as model:
        command = [*PROGRAM, "learn", path, "--center", *flags, "--out", model.name, "--json"]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
        for remark in json.loads(run.stdout)["remarks"]:
            print(f"  orthodict: {remark}")
        with np.load(model.name) as arrays:
            return arrays["encoder"]


def interference(unmixing, mixing):
    """Of every source, in decibels; sources have unit variance."""
    power = (unmixing @ mixing) ** 2
    share = power / power.sum(axis=1, keepdims=True)
    estimate, source = linear_sum_assignment(-share)
    best = share[estimate, source][np.argsort(source)]
    return 10 * np.log10(best / (1 - best))


def main():
    random = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    signals = sources(random)
    mixing = random.normal(size=(4, 4))
    frames = np.column_stack(list(signals.values())) @ mixing.T
    peak = 1.01 * np.abs(frames).max()
    write_wav("mixture.wav", frames / peak)
    ica = FastICA(fun="logcosh", whiten="unit-variance", random_state=1, tol=1e-6, max_iter=1000).fit(frames)
    found = {
        "learn --whiten zca": by_orthodict("mixture.wav", "--whiten", "zca"),
        "learn --method ica": by_orthodict("mixture.wav", "--method", "ica"),
        "scikit-learn FastICA, logcosh": ica.components_,
    }
    print(f"{'':31}" + "".join(f"{name:>13}" for name in signals))
    for name, unmixing in found.items():
        print(f"{name:31}" + "".join(f"{ratio:10.1f} dB" for ratio in interference(unmixing, mixing)))


main()
