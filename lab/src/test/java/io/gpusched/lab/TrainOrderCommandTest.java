package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.model.ModelFile;

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
        assertThat(trained.out()).contains("generation=0 cost=NaN", "generation=2 cost=");
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
        assertThat(again.out()).doesNotContain("generation");
        assertThat(Files.readAllBytes(model())).isEqualTo(before);
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
        assertThat(OrderModels.batch("shipped").mismatch()).isNull();
        assertThat(OrderModels.cluster("shipped").mismatch()).isNull();
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
