package io.gpusched.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

final class BenchRunTest {
    private record Fixed(String name, Figure figure, boolean broken) implements Bench {
        @Override
        public String title() {
            return "what " + name + " is";
        }

        @Override
        public String how() {
            return "Measured with care.";
        }

        @Override
        public List<Figure> run(Thoroughness thoroughness) throws IOException {
            if (broken) {
                throw new IOException("no such disk");
            }
            return List.of(figure);
        }
    }

    private static final List<Bench> BENCHES =
            List.of(
                    new Fixed("fast", Figure.of("speed", 7, "km/h", Target.atLeast(5)), false),
                    new Fixed("broken", Figure.beside("speed", 0, ""), true),
                    new Fixed("slow", Figure.of("speed", 3, "km/h", Target.atLeast(5)), false));

    @TempDir private Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void theListSaysWhatThereIs() {
        assertThat(bench("--list")).isEqualTo(BenchRun.DONE);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("fast", "what fast is", "slow");
    }

    @Test
    void anUnknownNameIsRefusedBeforeAnythingRuns() {
        assertThat(bench("fast", "fsat")).isEqualTo(BenchRun.MISUSED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no bench called fsat");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aBrokenBenchDoesNotKeepTheOthersFromRunning() {
        assertThat(bench()).isEqualTo(BenchRun.FAILED);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("reached", "MISSED");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no such disk");
        assertThat(folder.resolve("spine.md")).content().contains("1 of 2", "## slow");
    }

    @Test
    void aQuickRoundWritesNothing() {
        assertThat(bench("--quick", "slow")).isEqualTo(BenchRun.DONE);
        assertThat(folder).isEmptyDirectory();
    }

    private int bench(String... words) {
        return new BenchRun(
                        BENCHES,
                        folder,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(words));
    }
}
