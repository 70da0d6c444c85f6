package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

final class AblateCommandTest {
    @TempDir private Path folder;

    @Test
    void theTableHasEveryCombinationAndAFinishedRunIsNotRepeated() throws IOException {
        Path page = folder.resolve("page.md");
        Ran first = ablate("--report", page.toString());
        assertThat(first.code()).as(first.err()).isZero();
        List<String> lines = first.out().lines().toList();
        assertThat(lines).hasSize(4 + 1 + 2 + 4);
        assertThat(lines.get(0)).startsWith("mlp off        seed 1   | VAL ");
        assertThat(lines.get(5)).startsWith("mlp off        | VAL ").contains(" ± ");
        assertThat(lines.get(10)).startsWith("INDEX          | VAL ").doesNotContain(" ± ");
        assertThat(Files.readString(page))
                .contains("bin/lab ablate --seeds 1,2", "Training seeds: 1, 2.", "| mlp cdf |")
                .doesNotContain(folder.toString(), "published VAL");

        Path result = find("off", "seed1.result");
        Files.setLastModifiedTime(result, FileTime.fromMillis(0));
        Files.delete(find("cdf", "seed2.result"));
        Ran second = ablate();
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(Files.getLastModifiedTime(result).toMillis()).isZero();
    }

    @Test
    void aResultOfOtherSettingsIsRefused() {
        assertThat(ablate().code()).isZero();
        Ran other = ablate("--num-eval-episodes", "3");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).contains("finished with other settings");
    }

    @Test
    void aWrongOptionIsNamed() {
        assertThat(Ran.lab("ablate", "--policy-arch", "x").err())
                .contains("--policy-arch: expected one of mlp, attn, score, found x");
        assertThat(Ran.lab("ablate", "--lookahead-mode", "off,x").err())
                .contains("--lookahead-mode: expected one of off, per_gpu, sorted, cdf, found x");
    }

    private Ran ablate(String... more) {
        var words =
                new ArrayList<>(
                        List.of(
                                "ablate",
                                "--seeds",
                                "1,2",
                                "--policy-arch",
                                "mlp",
                                "--lookahead-mode",
                                "off,cdf",
                                "--total-timesteps",
                                "2048",
                                "--num-gpus",
                                "2",
                                "--max-queue-size",
                                "5",
                                "--jobs-per-episode",
                                "20",
                                "--eval-episodes",
                                "2",
                                "--eval-interval-updates",
                                "1",
                                "--runs",
                                folder.resolve("runs").toString()));
        boolean given = List.of(more).contains("--num-eval-episodes");
        words.addAll(given ? List.of() : List.of("--num-eval-episodes", "4"));
        words.addAll(List.of(more));
        return Ran.lab(words.toArray(String[]::new));
    }

    private Path find(String lookahead, String ending) throws IOException {
        try (var files = Files.list(folder.resolve("runs"))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> file.toString().contains("lookahead_" + lookahead + "_"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
