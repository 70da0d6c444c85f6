package io.gpusched.lab;

import io.gpusched.core.model.Check;
import io.gpusched.lab.compare.Comparison;
import io.gpusched.lab.compare.ComparisonError;
import io.gpusched.lab.compare.IntensitySource;
import io.gpusched.lab.compare.LabWorkload;
import io.gpusched.lab.compare.OverviewTable;
import io.gpusched.lab.compare.PolicyRun;
import io.gpusched.lab.compare.PolicyVariant;
import io.gpusched.lab.compare.ReportFolder;
import io.gpusched.sim.metrics.GridIntensity;
import io.gpusched.sim.scenario.ScenarioDurations;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/// `lab compare`: runs many policies over many seeds and workloads, and compares the results.
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs several policies on the same workloads with the production scheduler, and"
                    + " writes a report, tables and pictures.",
            "",
            "Finished runs are kept in the output directory, so a second start continues the"
                    + " first.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab compare --scenario scenarios/busy-day.yaml --out day",
            "  lab compare --scenario scenarios/busy-day.yaml --policy fifo,sjf,fair --placer"
                    + " best-fit,fgd --seeds 1..10 --out day",
            "  lab compare --trace samples/philly.csv --format philly --nodes 4x8 --policy"
                    + " fifo,sjf,srtf,las --out philly",
            "",
            "docs/guide/figures.md explains the figures."
        })
final class CompareCommand implements Callable<Integer> {
    /// Jobs of each run with --quick.
    private static final int QUICK_JOBS = 100;

    private static final int QUICK_SEEDS = 2;

    /// About the mean of the world's electricity, in grams of CO2e per kWh.
    private static final double WORLD_GRAMS = 480;

    private static final double MOST_GRAMS = 1e6;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description = "Scenario file in YAML: a cluster and its workload. May be repeated.")
    private List<Path> scenarios = new ArrayList<>();

    @ArgGroup(exclusive = false, heading = "%nTraces, and the cluster that they run on:%n")
    private TraceOptions traces = new TraceOptions();

    @Option(
            names = {"--policy", "--policies"},
            paramLabel = "NAME",
            split = ",",
            defaultValue = "priority,fifo,sjf,fair",
            completionCandidates = SimulateCommand.PolicyNames.class,
            description = {
                "Policies to compare, separated by commas (default ${DEFAULT-VALUE}).",
                "Any of ${COMPLETION-CANDIDATES}.",
                "Append -carbon to any of them except random, srtf and las to hold jobs back",
                "until power is clean. Append +PLACEMENT to choose the placement strategy:",
                "fifo+power-aware."
            })
    private List<String> policies = new ArrayList<>();

    @Mixin private ModelOption model = new ModelOption();

    @Option(
            names = {"--placer", "--placement"},
            paramLabel = "NAME",
            split = ",",
            completionCandidates = SimulateCommand.PlacerNames.class,
            description = {
                "Placement strategies: each policy runs with each of them (default: the",
                "scenario's).",
                "Any of ${COMPLETION-CANDIDATES}."
            })
    private List<String> placers = new ArrayList<>();

    @Option(
            names = "--seeds",
            paramLabel = "N..M",
            defaultValue = "1..3",
            description =
                    "Seeds of the random number generator: 1..5, or 1,4,7 (default"
                            + " ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String seeds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description = "Output directory; finished runs are kept there too.")
    @SuppressWarnings("NullAway.Init")
    private Path out;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Number of runs at the same time (default: number of cores).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--carbon",
            paramLabel = "G|FILE",
            description = {
                "Carbon intensity in grams of CO2e per kWh, or a CSV file with lines of"
                        + " time,grams. Prices of a market in the scenario come first.",
                "(default: the scenario's carbon.intensity, else 480)"
            })
    private @Nullable String carbon;

    @Option(
            names = "--slack",
            paramLabel = "TIME",
            description = {
                "Longest time for which policies that end in -carbon hold a job back, such as 8h",
                "(default: the scenario's carbon.slack, else 12h)."
            })
    private @Nullable String slack;

    @Option(
            names = "--quick",
            description =
                    "Run only the first "
                            + QUICK_JOBS
                            + " jobs and "
                            + QUICK_SEEDS
                            + " seeds of each.")
    private boolean quick;

    @Override
    public Integer call() {
        try {
            return compare();
        } catch (ComparisonError e) {
            throw new UserError(String.valueOf(e.getMessage()));
        }
    }

    private int compare() {
        List<PolicyRun> questions = questions();
        PrintWriter err = spec.commandLine().getErr();
        if (threads < 1) {
            throw new UserError("--jobs: expected 1 or more, found " + threads);
        }
        long jobs = questions.stream().mapToLong(PolicyRun::jobs).sum();
        Comparison.Found found;
        try (var progress = RunProgress.of(jobs, questions.size(), err)) {
            found = new Comparison(out.resolve("runs"), threads).run(questions, progress::show);
        }
        if (found.kept() > 0) {
            err.println(found.kept() + " of " + questions.size() + " runs were finished before");
        }
        if (found.stale() > 0) {
            err.println(
                    found.stale()
                            + " files in "
                            + out.resolve("runs")
                            + " were results of other runs (the scenario or the settings have"
                            + " changed) and were replaced");
        }
        found.failed().forEach((question, why) -> err.println(question + " failed: " + why));
        found.refusals().forEach(err::println);
        if (found.answers().isEmpty()) {
            throw new UserError("no run succeeded; the messages above say why");
        }
        String noPictures = new ReportFolder(out).put(found.answers());
        if (!noPictures.isEmpty()) {
            err.println(
                    "warning: no PNG files were written, because this Java has no fonts: "
                            + noPictures);
        }
        PrintWriter print = spec.commandLine().getOut();
        print.print(OverviewTable.of(found.answers()));
        print.println(
                "written to "
                        + out
                        + ": report.html, runs.csv, tenants.csv, summary.csv,"
                        + " results.json, png/");
        print.flush();
        return found.failed().isEmpty() ? 0 : 1;
    }

    private List<PolicyRun> questions() {
        List<LabWorkload> courses = courses();
        @Nullable IntensitySource given = given();
        var questions = new ArrayList<PolicyRun>();
        for (LabWorkload labWorkload : courses) {
            IntensitySource intensitySource = given == null ? airOf(labWorkload) : given;
            for (PolicyVariant policyVariant : contestants()) {
                for (long seed : seedsOf(labWorkload)) {
                    questions.add(new PolicyRun(labWorkload, policyVariant, seed, intensitySource));
                }
            }
        }
        return questions;
    }

    private List<LabWorkload> courses() {
        int most = quick ? QUICK_JOBS : 0;
        var courses = new ArrayList<LabWorkload>();
        var names = new TreeSet<String>();
        for (Path file : scenarios) {
            courses.add(held(LabWorkload.of(file, most)));
        }
        ParseResult given = spec.commandLine().getParseResult();
        traces.courses(most, given, spec.commandLine().getErr()::println)
                .forEach(labWorkload -> courses.add(held(labWorkload)));
        for (LabWorkload labWorkload : courses) {
            if (!names.add(labWorkload.fileName())) {
                throw new UserError(
                        "two workloads are called "
                                + labWorkload.fileName()
                                + "; rename one of the files");
            }
        }
        if (given.hasMatchedOption("--seeds") && courses.stream().noneMatch(LabWorkload::isDrawn)) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "warning: --seeds: these workloads draw nothing at random, so only the"
                                    + " first seed is run");
        }
        if (courses.isEmpty()) {
            throw new UserError(
                    "no workload: name a workload with --scenario FILE or --trace FILE");
        }
        return courses;
    }

    private List<PolicyVariant> contestants() {
        var contestants = new ArrayList<PolicyVariant>();
        for (String policy : policies) {
            if (placers.isEmpty()) {
                contestants.add(PolicyVariant.of(policy, ""));
            }
            placers.forEach(placer -> contestants.add(PolicyVariant.of(policy, placer)));
        }
        return contestants.stream().distinct().toList();
    }

    private List<Long> seedsOf(LabWorkload labWorkload) {
        List<Long> all = allSeeds();
        if (!labWorkload.isDrawn()) {
            return List.of(all.getFirst());
        }
        return quick ? all.subList(0, Math.min(QUICK_SEEDS, all.size())) : all;
    }

    private List<Long> allSeeds() {
        var all = new ArrayList<Long>();
        try {
            for (String part : seeds.split(",", -1)) {
                int dots = part.indexOf("..");
                long from = Long.parseLong(dots < 0 ? part.strip() : part.substring(0, dots));
                long to = dots < 0 ? from : Long.parseLong(part.substring(dots + 2));
                Check.that(from <= to && to - from < 10_000, "from %s to %s", from, to);
                for (long seed = from; seed <= to; seed++) {
                    all.add(seed);
                }
            }
        } catch (NumberFormatException | Check.Broken e) {
            throw new UserError("--seeds: expected numbers like 1..5 or 1,4,7, found " + seeds);
        }
        return all.stream().distinct().toList();
    }

    /// The carbon intensity of --carbon; null if the scenario decides.
    private @Nullable IntensitySource given() {
        if (carbon == null) {
            return null;
        }
        if (!carbon.matches("[-+]?[0-9.]+([eE][-+]?[0-9]+)?")) {
            return IntensitySource.read(Path.of(carbon));
        }
        double grams = Double.parseDouble(carbon);
        if (!(grams >= 0 && grams < MOST_GRAMS)) {
            throw new UserError(
                    "--carbon: expected grams of CO2e per kWh from 0 to 1000000, or a file, found "
                            + carbon);
        }
        return IntensitySource.constant(grams);
    }

    private static IntensitySource airOf(LabWorkload labWorkload) {
        @Nullable GridIntensity curve = labWorkload.scenario().scenarioPolicy().carbon().curve();
        return curve == null ? IntensitySource.constant(WORLD_GRAMS) : IntensitySource.of(curve);
    }

    private LabWorkload held(LabWorkload given) {
        LabWorkload labWorkload = model.isGiven() ? given.with(model::over) : given;
        if (slack == null) {
            return labWorkload;
        }
        @Nullable Duration time = ScenarioDurations.parse(slack);
        if (time == null) {
            throw new UserError("--slack: expected a time such as 8h or 1d, found " + slack);
        }
        return labWorkload.withSlack(time);
    }
}
