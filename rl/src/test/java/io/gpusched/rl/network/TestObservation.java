package io.gpusched.rl.network;

/// An observation, and which actions are allowed.
final class TestObservation {
    private final float[] numbers;
    private final boolean[] allowed;

    TestObservation(float[] numbers, boolean[] allowed) {
        this.numbers = numbers;
        this.allowed = allowed;
    }

    float[] numbers() {
        return numbers;
    }

    boolean[] allowed() {
        return allowed;
    }
}
