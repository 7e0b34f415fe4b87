"""
A blurred image
===============

Sharpen an image that is blurred and noisy: the image is the unknown, 14,400 numbers, and the gradient goes through the
Fourier transform that blurs it.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from sklearn.datasets import load_sample_image

from adjoint.demos.pictures import OUTPUT, draw_images, run
from adjoint.optimize import Objective


def blur(image, width: float = 1.5):
    """The image through a lens that is out of focus; its borders are joined."""
    down, right = np.fft.fftfreq(image.shape[0])[:, None], np.fft.rfftfreq(image.shape[1])
    passed = np.exp(-2.0 * (np.pi * width) ** 2 * (down**2 + right**2))
    return np.fft.irfft2(np.fft.rfft2(image) * passed, image.shape)


def variation(image):
    """The sum of all steps between neighbours: small for areas of one shade, also where sharp edges part them."""
    down, right = np.diff(image, axis=0)[:, 1:], np.diff(image, axis=1)[1:]
    return np.sum(np.sqrt(down**2 + right**2 + 1e-4))


def main(steps: int = 150, output=OUTPUT, seed: int = 0):
    """Blur a part of a photograph, add noise, and find the image that it was."""
    image = load_sample_image("china.jpg")[60:180, 260:380].mean(axis=2) / 255.0
    noise = 0.01
    seen = blur(image) + noise * np.random.default_rng(seed).normal(size=image.shape)

    def loss(guess):
        return 0.5 * np.sum((blur(guess) - seen) ** 2) / noise**2 + 5.0 * variation(guess)

    objective = Objective(loss, like=seen)
    found = minimize(
        objective.fun,
        objective.x0,
        jac=objective.jac,
        method="L-BFGS-B",
        options={"maxiter": steps, "maxfun": 2 * steps},
    )
    restored = objective.unravel(found.x)
    errors = [np.sqrt(np.mean((guess - image) ** 2)) for guess in (seen, restored)]
    print(f"{found.nit} steps; mean error {errors[0]:.3f} -> {errors[1]:.3f}")
    titles = ["as it was", "as it was seen", "restored"]
    draw_images(
        np.clip([image, seen, restored], 0.0, 1.0), titles, output, "deblurring", columns=3, size=2.4, colours="gray"
    )
    return restored, errors


if __name__ == "__main__":
    run(main)
