package io.gpusched.rl;

/// An observation, as numbers from 0 to 1: four for each position in the window of waiting jobs,
/// one for each GPU with the time until it is free, and the numbers of idle and busy GPUs.
///
///     [length priority GPUs waited] × window   [busy for] × GPUs   idle busy
///
/// Positions without a job are zero. The next step overwrites the observation.
public final class Observation {
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
    public float[] numbers() {
        return numbers;
    }

    public int window() {
        return window;
    }

    /// How many places in the window hold a job; they are the first ones.
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
    public boolean isFeasible(int place) {
        return place < jobs && gpus(place) <= idle();
    }

    void job(int place, float length, float priority, float gpus, float waited) {
        int at = PER_JOB * place;
        numbers[at + LENGTH] = length;
        numbers[at + PRIORITY] = priority;
        numbers[at + GPUS] = gpus;
        numbers[at + WAITED] = waited;
    }

    void jobs(int count) {
        for (int i = PER_JOB * count; i < PER_JOB * jobs; i++) {
            numbers[i] = 0;
        }
        jobs = count;
    }

    void gpus(float[] busyFor, Lookahead lookahead, float idle, float busy) {
        lookahead.write(busyFor, numbers, PER_JOB * window);
        numbers[numbers.length - 2] = idle;
        numbers[numbers.length - 1] = busy;
    }
}
