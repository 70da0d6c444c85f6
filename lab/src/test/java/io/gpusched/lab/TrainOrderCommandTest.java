package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.lab.swf.FirstOfModel;
import io.gpusched.wire.model.BadModelFile;
import io.gpusched.wire.model.ModelFile;
import io.gpusched.wire.model.ShippedModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `lab train-order`, and the commands that use its models.
final class TrainOrderCommandTest {
    private static final String LOG = "../samples/batch.swf";
    private static final String PHILLY = "../samples/philly.csv";

    @TempDir private Path folder;

    private Ran train(String... more) {
        var words = new ArrayList<>(List.of("train-order", "--out", "" + model()));
        words.addAll(List.of("--generations", "2", "--pairs", "2", "--batch", "2"));
        words.addAll(List.of(more));
        return Ran.lab(words.toArray(String[]::new));
    }

    private Path model() {
        return folder.resolve("order.model");
    }

    private Ran onLog() {
        return train("--trace", LOG, "--procs", "64", "--length", "20", "--sequences", "2");
    }

    private Ran onPhilly() {
        return train(
                "--trace", PHILLY, "--format", "philly", "--split", "2030-01-08", "--slice", "10");
    }

    @Test
    void aModelForABatchLogIsARowOfItsTables() {
        Ran trained = onLog();
        assertThat(trained.err()).isEmpty();
        assertThat(trained.out()).contains("generation=0 validation=", "generation=2 cost=");
        Ran swf =
                Ran.lab(
                        "swf",
                        "--trace",
                        LOG,
                        "--procs",
                        "64",
                        "--length",
                        "20",
                        "--policy",
                        "sjf",
                        "--checkpoint",
                        "" + model());
        assertThat(swf.out()).contains("\nlearned ");
    }

    @Test
    void aFinishedRunIsNotRepeated() throws Exception {
        onLog();
        byte[] before = Files.readAllBytes(model());
        Ran again = onLog();
        assertThat(again.code()).isZero();
        assertThat(again.out()).doesNotContain("generation=");
        assertThat(Files.readAllBytes(model())).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"--procs, 128", "--sequences, 3", "--length, 30"})
    void aRunOnOtherJobsIsNotContinued(String option, String value) {
        onLog();
        var words = new ArrayList<>(List.of("--trace", LOG, "--procs", "64", "--length", "20"));
        words.addAll(List.of("--sequences", "2"));
        words.set(words.indexOf(option) + 1, value);
        Ran other = train(words.toArray(String[]::new));
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).contains("choose the same settings or another --out");
    }

    @Test
    void aRunOnALogOfAnotherSizeIsNotContinued() throws Exception {
        onLog();
        List<String> lines = Files.readAllLines(Path.of(LOG));
        Path shorter = folder.resolve("batch.swf");
        Files.write(shorter, lines.subList(0, lines.size() - 1));
        Ran other =
                train(
                        "--trace",
                        "" + shorter,
                        "--procs",
                        "64",
                        "--length",
                        "20",
                        "--sequences",
                        "2");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).contains("jobs of batch.swf");
    }

    @Test
    void aModelForAClusterIsComparedOnHeldBackJobs() throws Exception {
        assertThat(onPhilly().out()).contains("are held back");
        assertThat(ModelFile.read(model()).sizes()).containsExactly(30, 4, 1);
        Path page = folder.resolve("page.md");
        Ran ran =
                Ran.lab(
                        "evaluate-order",
                        "--trace",
                        PHILLY,
                        "--split",
                        "2030-01-08",
                        "--slice",
                        "10",
                        "--checkpoint",
                        "" + model(),
                        "--policy",
                        "spf,las",
                        "--report",
                        "" + page);
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("\nspf ", "\nlas ", "\nlearned ");
        assertThat(Files.readString(page)).contains("| **learned** |", "| vc-a |");
    }

    @Test
    void theShippedModelsCanBeUsed() {
        assertThat(OrderModels.batch("shipped").encoder()).isEqualTo(FirstOfModel.ENCODER);
        assertThat(OrderModels.cluster("shipped").mismatch()).isNull();
    }

    @Test
    void theSchedulerRefusesAModelForBatchLogs() throws Exception {
        for (ScoreModel batch : List.of(OrderModels.batch("shipped"), trainedOnLog())) {
            byte[] bytes = ModelFile.bytes(batch);
            assertThatThrownBy(() -> ModelFile.parse("m", bytes))
                    .isInstanceOf(BadModelFile.class)
                    .hasMessageStartingWith(
                            "m: the model was trained for encoder heads-1-batch with 30 features,"
                                    + " and this program has encoder heads-1 with 30;");
        }
    }

    private ScoreModel trainedOnLog() {
        onLog();
        return OrderModels.batch("" + model());
    }

    @Test
    void aModelForClustersIsNoneForBatchLogs() throws Exception {
        ModelFile.write(model(), ShippedModel.read());
        Ran ran = Ran.lab("swf", "--trace", LOG, "--procs", "64", "--checkpoint", "" + model());
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err())
                .contains("trained for encoder heads-1 with", "has encoder heads-1-batch with");
    }

    @ParameterizedTest
    @CsvSource({
        "--procs, 0, '--procs: expected a number from 1 on with --format swf'",
        "--pairs, 1, '--pairs: expected 2 or more; --hidden: expected 1 to 256'",
        "--rate, 0, '--spread and --rate: expected numbers above 0'",
        "--generations, 0, '--length, --generations, --batch and --threads: expected numbers from"
                + " 1 on'"
    })
    void aWrongOptionIsNamed(String option, String value, String message) {
        Ran ran = Ran.lab("train-order", "--trace", LOG, "--out", "" + model(), option, value);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).isEqualToIgnoringNewLines("lab: " + message);
    }

    @Test
    void aFileThatIsNoModelIsRefused() throws Exception {
        Files.writeString(model(), "no model");
        Ran ran = Ran.lab("swf", "--trace", LOG, "--procs", "64", "--checkpoint", "" + model());
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err())
                .startsWith("lab: --checkpoint: " + model())
                .contains("it is not a model file");
    }
}
