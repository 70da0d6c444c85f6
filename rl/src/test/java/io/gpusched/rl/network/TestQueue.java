package io.gpusched.rl.network;

import io.gpusched.sim.scenario.SeededRandom;

import java.util.ArrayList;
import java.util.List;

/// Makes observations of random queues: a window of jobs, some places empty, and GPUs of which
/// several have the same look-ahead entry.
record TestQueue(int window, int gpus) {
    TestObservation observation(int jobs, SeededRandom random) {
        var numbers = new float[4 * window + gpus + 2];
        var allowed = new boolean[window + 1];
        allowed[0] = true;
        int idle = random.between(1, gpus);
        for (int job = 0; job < jobs; job++) {
            int width = random.between(1, gpus);
            numbers[4 * job] = (float) (0.02 + 0.9 * random.unit());
            numbers[4 * job + 1] = (float) random.unit();
            numbers[4 * job + 2] = (float) width / gpus;
            numbers[4 * job + 3] = (float) random.unit();
            allowed[job + 1] = width <= idle;
        }
        for (int gpu = 0; gpu < gpus; gpu++) {
            numbers[4 * window + gpu] = gpu < idle ? 0 : (gpu % 2 == 0 ? 0.25f : 0.625f);
        }
        numbers[4 * window + gpus] = (float) idle / gpus;
        numbers[4 * window + gpus + 1] = (float) (gpus - idle) / gpus;
        return new TestObservation(numbers, allowed);
    }

    /// One observation for each number of jobs.
    List<TestObservation> observations(long seed, int... jobs) {
        var random = new SeededRandom(seed);
        var all = new ArrayList<TestObservation>();
        for (int count : jobs) {
            all.add(observation(count, random));
        }
        return all;
    }

    /// The same observation with two jobs exchanged.
    static TestObservation exchange(TestObservation seen, int one, int other) {
        float[] numbers = seen.numbers().clone();
        boolean[] allowed = seen.allowed().clone();
        for (int i = 0; i < 4; i++) {
            numbers[4 * one + i] = seen.numbers()[4 * other + i];
            numbers[4 * other + i] = seen.numbers()[4 * one + i];
        }
        allowed[one + 1] = seen.allowed()[other + 1];
        allowed[other + 1] = seen.allowed()[one + 1];
        return new TestObservation(numbers, allowed);
    }
}
