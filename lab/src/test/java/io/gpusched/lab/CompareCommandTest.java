package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

final class CompareCommandTest {
    private static final String DAY = "../scenarios/busy-day.yaml";

    private static final String CLEAN = "../scenarios/clean-power.yaml";

    @TempDir Path folder;

    private Ran compare(String out, String... more) {
        var words = new ArrayList<>(List.of("compare", "--out", folder.resolve(out).toString()));
        words.addAll(List.of(more));
        return Ran.lab(words.toArray(String[]::new));
    }

    private String text(String out, String file) throws IOException {
        return Files.readString(folder.resolve(out).resolve(file));
    }

    @Test
    void theSameQuestionGivesTheSameFilesWhateverTheNumberOfThreads() throws IOException {
        String[] day = {"--scenario", DAY, "--policy", "fifo,sjf", "--quick", "--jobs"};
        assertThat(compare("one", with(day, "1")).code()).isZero();
        assertThat(compare("two", with(day, "2")).code()).isZero();
        for (String file :
                List.of("runs.csv", "tenants.csv", "summary.csv", "results.json", "report.html")) {
            assertThat(text("two", file)).as(file).isEqualTo(text("one", file));
        }
        assertThat(text("one", "runs.csv").lines()).hasSize(1 + 2 * 2);
        assertThat(text("one", "runs.csv")).contains("busy-day,sjf,,2,100,");
    }

    private static String[] with(String[] words, String last) {
        var all = new ArrayList<>(List.of(words));
        all.add(last);
        return all.toArray(String[]::new);
    }

    @Test
    void whatWasRunIsNotRunAgainAndAChangedQuestionIsNoticed() throws IOException {
        Path scenario = folder.resolve("day.yaml");
        Files.copy(Path.of(DAY), scenario);
        String[] words = {"--scenario", scenario.toString(), "--policy", "fifo", "--quick"};
        compare("out", words);
        String first = text("out", "runs.csv");
        Ran second = compare("out", words);
        assertThat(second.err()).contains("2 of 2 runs were finished before");
        assertThat(text("out", "runs.csv")).isEqualTo(first);
        Files.writeString(
                scenario, Files.readString(scenario).replace("mean_gap: 3m", "mean_gap: 1m"));
        Ran third = compare("out", words);
        assertThat(third.err()).contains("2 files").contains("were results of other runs");
        assertThat(text("out", "runs.csv")).isNotEqualTo(first);
    }

    @Test
    void theReportNeedsNothingElseAndThePicturesAreImages() throws IOException {
        compare("out", "--scenario", DAY, "--policy", "fair", "--placer", "best-fit", "--quick");
        String page = text("out", "report.html");
        assertThat(page)
                .startsWith("<!doctype html>")
                .contains("fair+best-fit", "Jain fairness", "<svg", "students", "</html>")
                .doesNotContain("http://", "https://", "src=", "<script", "NaN");
        try (Stream<Path> files = Files.list(folder.resolve("out/png"))) {
            List<Path> pictures = files.toList();
            assertThat(pictures).hasSize(6);
            for (Path picture : pictures) {
                assertThat(ImageIO.read(picture.toFile()).getWidth()).isEqualTo(1520);
            }
        }
        JsonNode json = JsonMapper.builder().build().readTree(text("out", "results.json"));
        assertThat(json.at("/summary/0/metrics/wait_mean_s/high").asDouble())
                .isGreaterThanOrEqualTo(json.at("/summary/0/metrics/wait_mean_s/low").asDouble());
        assertThat(json.at("/runs/0/tenants/product/energy_kwh").asDouble()).isPositive();
    }

    @Test
    void theReportNamesAQuotaThatHoldsJobsBack() throws IOException {
        Path scenario = folder.resolve("tight.yaml");
        Files.writeString(
                scenario,
                """
                cluster: [{name: n, count: 2, gpus: 8xA100-80GB}]
                tenants: [{id: small, max_gpus: 1}, {id: large}]
                jobs:
                  - {name: a1, tenant_id: small, gpu_count: 1, runs: 1h}
                  - {name: a2, tenant_id: small, gpu_count: 1, runs: 1h}
                  - {name: a3, tenant_id: small, gpu_count: 1, runs: 1h}
                  - {name: b1, tenant_id: large, gpu_count: 8, runs: 1h}
                  - {name: b2, tenant_id: large, gpu_count: 8, runs: 1h}
                  - {name: b3, tenant_id: large, gpu_count: 8, runs: 1h}
                """);
        compare("out", "--scenario", scenario.toString(), "--policy", "fifo,sjf");
        assertThat(text("out", "report.html"))
                .contains("The quota of tenant <b>small</b>, not the policy, holds its jobs back")
                .contains("for at least 100 % of the time")
                .doesNotContain("The quota of tenant <b>large</b>")
                .contains("every seed gives the same");
    }

    @Test
    void oneSeedGivesNoColourAndTheFirstColumnStays() throws IOException {
        String[] words = {"--scenario", DAY, "--policy", "fifo,sjf", "--quick", "--seeds"};
        compare("one", with(words, "1"));
        assertThat(text("one", "report.html"))
                .doesNotContain("<td class='best'>")
                .contains("position: sticky")
                .contains("1 seed.");
        compare("ten", with(words, "1,2"));
        assertThat(text("ten", "report.html")).contains("<td class='best'>", "2 seeds.");
    }

    @Test
    void carbonFollowsACurve() throws IOException {
        Path curve = folder.resolve("curve.csv");
        Files.writeString(curve, "time,g\n2026-01-05T00:00:00Z,0\n2026-01-05 00:30:00,0\n");
        compare("out", "--scenario", DAY, "--policy", "fifo", "--quick", "--carbon", "" + curve);
        assertThat(text("out", "runs.csv").lines().skip(1)).allMatch(row -> row.endsWith(",0"));
    }

    @Test
    void everyPolicyThatIsTalkedAboutTakesPartInOneComparison() throws IOException {
        String all =
                "fifo-strict,fifo-skip,sjf,srtf,las,priority,fair,f1,wfp3,unicep,fifo,"
                        + "fifo+power-aware,fifo+thermal-aware,random-skip+random,index,sjf-carbon";
        String[] words = {
            "--trace",
            "../samples/philly.csv",
            "--nodes",
            "4x8",
            "--quick",
            "--policies",
            all,
            "--carbon",
            "../samples/carbon/intensity.csv",
            "--slack"
        };
        Ran ran = compare("out", with(words, "6h"));
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(text("out", "runs.csv").lines()).hasSize(1 + all.split(",", -1).length);
        assertThat(text("out", "runs.csv"))
                .contains(",random-skip,random,1,", ",fifo,power-aware,1,", ",sjf-carbon,,1,");
    }

    @Test
    void waitingForCleanPowerSavesCarbon() throws IOException {
        compare("out", "--scenario", CLEAN, "--policy", "fifo,fifo-carbon");
        List<Double> carbon =
                text("out", "tenants.csv")
                        .lines()
                        .skip(1)
                        .map(row -> Double.parseDouble(row.substring(row.lastIndexOf(',') + 1)))
                        .toList();
        assertThat(carbon.get(1)).isLessThan(0.8 * carbon.get(0));
        assertThat(compare("no", "--scenario", DAY, "--policy", "sjf-carbon").err())
                .contains("sjf-carbon needs to know when power is clean", "--carbon FILE");
    }

    @Test
    void picturesOfAnEarlierComparisonGoAway() throws IOException {
        Files.createDirectories(folder.resolve("out/png"));
        Files.writeString(folder.resolve("out/png/earlier.png"), "");
        compare("out", "--scenario", CLEAN, "--policy", "fifo");
        assertThat(folder.resolve("out/png/earlier.png")).doesNotExist();
    }

    @Test
    void whatWouldBeIgnoredIsRefusedOrSaid() {
        assertThat(compare("out", "--scenario", CLEAN, "--cores", "8").err())
                .contains("--cores does nothing here");
        String[] list = {
            "--trace", "x", "--node-list", "../samples/openb-nodes.csv", "--gpu", "T4"
        };
        assertThat(compare("out", list).err()).contains("--gpu does nothing here");
        assertThat(compare("out", "--trace", "x", "--nodes", "1x0", "--gpu", "T4").err())
                .contains("have no GPUs");
        String[] words = {"--scenario", CLEAN, "--policy", "fifo", "--seeds", "1..9"};
        assertThat(compare("out", words).err()).contains("only the first seed is run");
    }

    @Test
    void tracesOfEveryFormatRun() throws IOException {
        String[][] traces = {
            {"../samples/philly.csv", "philly", "4x8", "96"},
            {"../samples/batch.swf", "swf", "1x0", "64"},
            {"../samples/openb-pods.csv", "openb", "12x8", "96"},
            {"../samples/serving.csv", "alibaba-v2025", "4x8", "96"},
            {"../samples/llm-requests.csv", "azure-llm", "1x8", "96"},
        };
        for (String[] trace : traces) {
            String[] words = {
                "--trace", trace[0], "--format", trace[1], "--nodes", trace[2], "--cores", trace[3]
            };
            Ran ran = compare(trace[1], with(words, "--policy=fifo"));
            assertThat(ran.code()).as(trace[1] + ran.err()).isZero();
            assertThat(text(trace[1], "runs.csv").lines()).hasSize(2);
            String[] run = text(trace[1], "runs.csv").lines().toList().get(1).split(",", -1);
            assertThat(Integer.parseInt(run[4])).as("jobs of " + trace[1]).isGreaterThan(10);
            assertThat(run[5]).as("jobs of " + trace[1] + " that completed").isEqualTo(run[4]);
            assertThat(text(trace[1], "summary.csv")).contains("unfinished,,0,0,0,1");
        }
    }

    @Test
    void shorterJobsFirstShortensTheMeanWaitOfATrace() throws IOException {
        String[] words = {"--trace", "../samples/philly.csv", "--nodes", "4x8", "--policy"};
        compare("out", with(words, "fifo,sjf,srtf"));
        List<Double> waits =
                text("out", "summary.csv")
                        .lines()
                        .filter(row -> row.contains(",completion_mean_s,"))
                        .map(row -> Double.parseDouble(row.split(",", -1)[5]))
                        .toList();
        assertThat(waits.get(1)).isLessThan(waits.get(0));
        assertThat(waits.get(2)).isLessThan(waits.get(1));
    }

    @Test
    void anErrorIsOneSentence() throws IOException {
        assertThat(compare("out").err()).contains("name a workload with --scenario FILE");
        assertThat(compare("out", "--scenario", "nowhere.yaml").err()).contains("nowhere.yaml");
        assertThat(compare("out", "--scenario", DAY, "--policy", "fiffo").err())
                .contains("there is no policy fiffo; there are priority, priority-skip");
        assertThat(compare("out", "--scenario", DAY, "--placer", "best").err())
                .contains("did you mean best-fit?");
        assertThat(compare("out", "--scenario", DAY, "--seeds", "5..1").err())
                .contains("expected numbers like 1..5 or 1,4,7, found 5..1");
        assertThat(compare("out", "--scenario", DAY, "--jobs", "0").err()).contains("expected 1");
        assertThat(compare("out", "--scenario", DAY, "--scenario", DAY).err())
                .contains("two workl");
        assertThat(compare("out", "--trace", "nowhere.csv").err()).contains("nowhere.csv");
        assertThat(compare("out", "--trace", "x", "--format", "y").err()).contains("found y");
        assertThat(compare("out", "--trace", "x", "--nodes", "3").err()).contains("like 80x8");
        Path curve = folder.resolve("curve.csv");
        Files.writeString(curve, "time,g\n2026-01-05T00:00:00Z,x\n");
        assertThat(compare("out", "--scenario", DAY, "--carbon", "-100").err())
                .contains("from 0 to 1000000, or a file, found -100");
        assertThat(compare("out", "--scenario", DAY, "--slack", "soon").err())
                .contains("such as 8h or 1d, found soon");
        assertThat(compare("out", "--scenario", DAY, "--policy", "power-aware").err())
                .contains("write it behind a policy, such as fifo+power-aware");
        assertThat(compare("curve.csv", "--scenario", DAY).err())
                .contains("expected a directory to write to, found the file")
                .doesNotContain("Exception");
        assertThat(compare("out", "--scenario", DAY, "--carbon", curve.toString()).err())
                .contains("line 2", "found 2026-01-05T00:00:00Z,x");
    }
}
