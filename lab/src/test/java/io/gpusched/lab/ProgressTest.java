package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarBuilder;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// What a person at a terminal sees of a run.
final class ProgressTest {
    private static final int WIDTH = 160;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    private ProgressBarBuilder bar() {
        var terminal = new PrintStream(shown, true, StandardCharsets.UTF_8);
        return new ProgressBarBuilder()
                .setConsumer(new ConsoleProgressBarConsumer(terminal, WIDTH));
    }

    /// What is shown of a run of so many jobs of which one ends in each minute.
    private String shownOf(int jobs, boolean silent, boolean seen) {
        try (var progress = Progress.of(jobs, silent, seen, bar())) {
            for (int ended = 1; ended <= jobs; ended++) {
                progress.show(ended, Duration.ofMinutes(ended));
            }
        }
        return shown.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aLongRunShowsHowFarItIs() {
        assertThat(shownOf(2_100, false, true))
                .contains("simulating", "100%", "2100/2100 jobs", "jobs/s 1d 10h 8m");
    }

    @Test
    void aShortRunShowsNoBar() {
        assertThat(shownOf(1_999, false, true)).isEmpty();
    }

    @Test
    void thereIsNoBarWithoutATerminalOrBesideOtherOutput() {
        assertThat(shownOf(2_048, false, false)).isEmpty();
        assertThat(shownOf(2_048, true, true)).isEmpty();
    }

    @Test
    void readingAJournalTwiceIsHalfDoneAfterTheFirstTime() {
        try (var progress = Progress.ofHistory(true, bar())) {
            for (int batch = 1; batch <= 512; batch++) {
                progress.read(batch, false);
            }
            for (int batch = 1; batch <= 256; batch++) {
                progress.read(batch, true);
            }
        }
        assertThat(shown.toString(StandardCharsets.UTF_8))
                .contains("reading", "75%", "768/1024 batches", "deciding again");
    }

    @Test
    void readingIsNotShownWithoutATerminal() {
        try (var progress = Progress.ofHistory(false, bar())) {
            for (int batch = 1; batch <= 512; batch++) {
                progress.read(batch, false);
            }
        }
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void stepsAreShownOnOneLineThatResultsReplace() {
        var terminal = new PrintStream(shown, true, StandardCharsets.UTF_8);
        try (var progress = StepProgress.onTerminal("sequences", 4, terminal)) {
            progress.begin("fifo");
            progress.step();
            progress.step();
        }
        assertThat(shown.toString(StandardCharsets.UTF_8))
                .startsWith(
                        "\r\u001b[Kfifo: 0 of 4 sequences\r\u001b[Kfifo: 1 of 4 sequences, about ")
                .contains("fifo: 2 of 4 sequences")
                .endsWith(" left\r\u001b[K")
                .doesNotContain("\n");
        assertThat(StepProgress.left(Duration.ofSeconds(10), 40, 10)).hasSeconds(30);
    }
}
