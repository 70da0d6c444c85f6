package io.gpusched.rl;

import java.util.Arrays;

/// An observation, as numbers from 0 to 1: four for each position in the window of waiting jobs,
/// one for each GPU with the time until it is free, and the numbers of idle and busy GPUs.
///
///     [length priority GPUs waited] × window   [busy for] × GPUs   idle busy
///
/// Positions without a job are zero. The next step overwrites the observation.
public final class Observation implements Observed {
    static final int PER_JOB = 4;

    private static final int LENGTH = 0;
    private static final int PRIORITY = 1;
    private static final int GPUS = 2;
    private static final int WAITED = 3;

    private final float[] numbers;
    private final int window;
    private int jobs;

    Observation(EnvironmentSettings settings) {
        this.window = settings.window();
        this.numbers = new float[settings.observed()];
    }

    /// The numbers themselves, for networks. Not a copy.
    @Override
    public float[] numbers() {
        return numbers;
    }

    @Override
    public int window() {
        return window;
    }

    @Override
    public int perJob() {
        return PER_JOB;
    }

    /// How many places in the window hold a job; they are the first ones.
    @Override
    public int jobs() {
        return jobs;
    }

    public float length(int place) {
        return numbers[PER_JOB * place + LENGTH];
    }

    public float priority(int place) {
        return numbers[PER_JOB * place + PRIORITY];
    }

    public float gpus(int place) {
        return numbers[PER_JOB * place + GPUS];
    }

    public float waited(int place) {
        return numbers[PER_JOB * place + WAITED];
    }

    public float idle() {
        return numbers[numbers.length - 2];
    }

    public float busy() {
        return numbers[numbers.length - 1];
    }

    /// Whether the job in this place could start now.
    @Override
    public boolean isFeasible(int place) {
        return place < jobs && gpus(place) <= idle();
    }

    /// Shows no job.
    void clear() {
        Arrays.fill(numbers, 0, PER_JOB * jobs, 0);
        jobs = 0;
    }

    /// Shows another job behind the others. How long it has waited is not written yet.
    void add(float length, float priority, float gpus) {
        int at = PER_JOB * jobs++;
        numbers[at + LENGTH] = length;
        numbers[at + PRIORITY] = priority;
        numbers[at + GPUS] = gpus;
    }

    /// Shows this job no more; those behind it move up.
    void remove(int place) {
        int at = PER_JOB * place;
        jobs--;
        System.arraycopy(numbers, at + PER_JOB, numbers, at, PER_JOB * (jobs - place));
        Arrays.fill(numbers, PER_JOB * jobs, PER_JOB * (jobs + 1), 0);
    }

    void waited(int place, float waited) {
        numbers[PER_JOB * place + WAITED] = waited;
    }

    void gpus(float[] busyFor, Lookahead lookahead, float idle, float busy) {
        lookahead.write(busyFor, numbers, PER_JOB * window);
        numbers[numbers.length - 2] = idle;
        numbers[numbers.length - 1] = busy;
    }
}
