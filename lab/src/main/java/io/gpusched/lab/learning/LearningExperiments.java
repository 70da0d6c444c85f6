package io.gpusched.lab.learning;

import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.lab.runtimes.PastJob;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// The four learning experiments; each writes one section of the results page.
public final class LearningExperiments {
    public static final List<String> NAMES =
            List.of("backfill", "starts", "interference", "regret");

    /// The fraction of runs that shall end within their planned runtime; 0.8 to 0.999 were tried.
    private static final double PLANNED = 0.95;

    private static final int WORLDS = 5;

    /// The settings of the scorers were chosen in other worlds, up to this one.
    private static final int OTHER_WORLDS = 10;

    private final Path data;
    private final int nodes;
    private final int size;
    private final int worlds;
    private final Consumer<String> progress;
    private String plot = "";

    /// @param data where the trace is, for the first two
    /// @param nodes machines of 8 GPUs that the trace runs on
    /// @param size of the simulated worlds in jobs; 0 for the usual number
    /// @param worlds that are simulated
    /// @param progress receives the name of the present step
    public LearningExperiments(
            Path data, int nodes, int size, int worlds, Consumer<String> progress) {
        this.data = data;
        this.nodes = nodes;
        this.size = size;
        this.worlds = worlds;
        this.progress = progress;
    }

    /// The usual size of the cluster.
    public static int usualNodes() {
        return PhillyJobs.NODES;
    }

    /// How many worlds there usually are.
    public static int usualWorlds() {
        return WORLDS;
    }

    /// Runs the part of that name and returns its section.
    public String run(String part) {
        return switch (NAMES.indexOf(part)) {
            case 0 -> backfill();
            case 1 -> starts();
            case 2 -> interference();
            default -> regret();
        };
    }

    /// The picture that belongs to the page; empty as long as `regret` has not run.
    public String plot() {
        return plot;
    }

    private PhillyJobs trace() {
        return new PhillyJobs(PastJob.read(data, progress), nodes);
    }

    private static PredictionSettings learned(double planned) {
        return new PredictionSettings(true, true, planned);
    }

    private static List<BackfillExperiment.Variant> ways() {
        var ways = new ArrayList<BackfillExperiment.Variant>();
        ways.add(
                new BackfillExperiment.Variant(
                        "`fifo` by limits", "fifo", PredictionSettings.NONE, 0));
        for (double planned : new double[] {0.8, 0.9, PLANNED, 0.99, 0.999}) {
            String name = "`spf`, learned, planned with " + planned;
            name = planned == PLANNED ? "**" + name + "**" : name;
            ways.add(new BackfillExperiment.Variant(name, "spf", learned(planned), 0));
        }
        ways.add(
                new BackfillExperiment.Variant(
                        "`spf` by limits", "spf", PredictionSettings.NONE, 0));
        ways.add(
                new BackfillExperiment.Variant(
                        "`fifo`, learned, 0.95", "fifo", learned(PLANNED), 0));
        ways.add(
                new BackfillExperiment.Variant(
                        "`spf`, true run times", "spf", PredictionSettings.NONE, 1));
        ways.add(
                new BackfillExperiment.Variant(
                        "`spf`, twice the true run times", "spf", PredictionSettings.NONE, 2));
        ways.add(
                new BackfillExperiment.Variant(
                        "`spf-skip`, true run times, no reservation",
                        "spf-skip",
                        PredictionSettings.NONE,
                        1));
        return ways;
    }

    private String backfill() {
        PhillyJobs trace = trace();
        var text = new StringBuilder("## Backfill by predicted run times\n\n");
        text.append(
                line(
                        """
                        %d jobs of the Philly trace on %d nodes of 8 GPUs; %d larger jobs were left out. The time limit of a job is
                        the next higher of 1 h, 4 h, 12 h, 24 h and 7 d, above that the run time. Times are in minutes. A *head* is
                        a job at the head of the queue that could not start and got a reservation. *late* is the mean delay of
                        heads after the first reserved time, *at head* the mean time that they were heads, and the last column the
                        mean waiting time of the jobs that are heads in the first row.

                        | | mean wait | less | median | 99 %% | heads | late | at head | heads of `fifo` |
                        |---|---|---|---|---|---|---|---|---|
                        """,
                        trace.jobs().size(), nodes, trace.tooLarge()));
        BackfillExperiment base = null;
        for (BackfillExperiment.Variant way : ways()) {
            progress.accept("backfill: " + way.name());
            BackfillExperiment run = BackfillExperiment.run(trace, way);
            base = base == null ? run : base;
            text.append(
                    line(
                            "| %s | %.0f | %.1f %% | %.0f | %.0f | %d | %.0f | %.0f | %.0f |%n",
                            way.name(),
                            run.meanWait() / 60,
                            100 * (1 - run.meanWait() / base.meanWait()),
                            run.waitQuantile(0.5) / 60,
                            run.waitQuantile(0.99) / 60,
                            run.heads(),
                            run.meanDelay() / 60,
                            run.meanAsHead() / 60,
                            run.meanWaitOfHeads(base) / 60));
        }
        text.append(
                """

                The time limits of this experiment follow from the true run times, so `spf` by limits knows more than it
                would in production. Tight planning leaves fewer gaps for short jobs, so exact knowledge is not always best;
                the upper bound is the best of the rows that know the run times.

                """);
        return text.toString();
    }

    private String starts() {
        PhillyJobs trace = trace();
        int every = Math.max(1, Math.min(1_200, trace.jobs().size() / 100));
        StartForecastExperiment run =
                StartForecastExperiment.run(
                        trace,
                        learned(PLANNED),
                        every,
                        done -> progress.accept("starts: " + done + " forecasts"));
        return line(
                        """
                        ## When waiting jobs start

                        The same jobs and nodes under `fifo` with learned run times. %d jobs had to wait. At one in %d of them
                        the engine simulated the queue 20 times and predicted, for that job and nine other waiting jobs, a range
                        that should contain 80 %% of the starts. `width` is the ratio of the latest to the earliest predicted
                        wait.

                        | | ranges | within | later | width |
                        |---|---|---|---|---|
                        """,
                        run.waited(), every)
                + row("as predicted", run.plain())
                + row("**calibrated**", run.amended())
                + line(
                        """

                        Starts beyond the forecast: %d. The learning rate of the calibration was chosen on the forecasts for the
                        first third of the waiting jobs.

                        """,
                        run.unforeseen());
    }

    private static String row(String name, StartForecastExperiment.Count count) {
        return line(
                "| %s | %d | %.1f %% | %.1f %% | %.2f |%n",
                name, count.stated(), 100 * count.coverage(), 100 * count.late(), count.width());
    }

    private String interference() {
        int runs = size > 0 ? size : SharingExperiment.RUNS;
        var text = new StringBuilder("## Interference\n\n");
        text.append(
                line(
                        """
                        %d runs of six kinds, each of half a GPU, on 24 GPUs; half of the pairs slow each other down by 30 to
                        150 %%. A run is slowed down by the jobs that it finds on its GPU when it starts. `packed` is the default;
                        `spread` prefers empty GPUs; `interference` adds the scorer of that name. The error is that of the learned
                        slowdowns, over all 36 pairs; with the scorer, bad pairs are rare, so their slowdowns are known less well.
                        The load is half of the capacity.

                        | world | placement | mean completion | less | shared | mean error | largest error |
                        |---|---|---|---|---|---|---|
                        """,
                        runs));
        for (int world = 1; world <= worlds; world++) {
            double base = 0;
            for (SharingExperiment.How how : SharingExperiment.How.values()) {
                progress.accept("interference: world " + world + " " + how);
                SharingExperiment run = SharingExperiment.run(how, OTHER_WORLDS + world, runs);
                base = how == SharingExperiment.How.PACKED ? run.meanCompletion() : base;
                text.append(
                        line(
                                "| %d | %s | %.0f s | %.1f %% | %.0f %% | %.1f %% | %.1f %% |%n",
                                world,
                                how.name().toLowerCase(Locale.ROOT),
                                run.meanCompletion(),
                                100 * (1 - run.meanCompletion() / base),
                                100 * run.besideOthers(),
                                100 * run.off().mean(),
                                100 * run.off().worst()));
            }
        }
        return text.append('\n').toString();
    }

    private String regret() {
        int jobs = size > 0 ? size : RegretExperiment.JOBS;
        var text = new StringBuilder("## The cost of exploration\n\n");
        text.append(
                line(
                        """
                        %d jobs of ten kinds and four GPU models with free GPUs of each, whose speeds are unknown at first. The
                        regret of a choice is the expected run time on the chosen model divided by that on the best model, minus
                        one; it is summed over the jobs. All strategies get the same jobs and the same random numbers. The optimism
                        about unknown speeds (2 standard deviations; 1, 1.5 and 3 were tried) was chosen in other worlds.

                        | strategy | %s mean |
                        |---|%s---|
                        """,
                        jobs, heads(), "---|".repeat(worlds)));
        var picture = new CurvePlot("jobs", "total regret, mean of the worlds");
        for (RegretExperiment.Strategy strategy : RegretExperiment.Strategy.values()) {
            var mean = new double[jobs];
            text.append("| ").append(strategy.words).append(" |");
            for (int world = 1; world <= worlds; world++) {
                progress.accept("regret: world " + world + " " + strategy);
                RegretExperiment run = RegretExperiment.run(strategy, OTHER_WORLDS + world, jobs);
                text.append(line(" %.0f |", run.upTo(jobs - 1)));
                for (int job = 0; job < jobs; job++) {
                    mean[job] += run.upTo(job) / worlds;
                }
            }
            text.append(line(" %.0f |%n", mean[jobs - 1]));
            picture.add(strategy.words.replace("`", ""), mean);
        }
        plot = picture.svg();
        return text.append("\n![total regret](regret.svg)\n\n").toString();
    }

    private String heads() {
        var names = new StringBuilder();
        for (int world = 1; world <= worlds; world++) {
            names.append("world ").append(world).append(" | ");
        }
        return names.toString().strip();
    }

    private static String line(String format, Object... parts) {
        return String.format(Locale.ROOT, format, parts);
    }
}
