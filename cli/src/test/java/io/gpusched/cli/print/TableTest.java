package io.gpusched.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class TableTest {

    @Test
    void columnsAlignAndEmptyCellsAreDashes() {
        var table = new Table(3);
        table.add(List.of("JOB", "NAME", "STATE"));
        table.add(List.of("job-2", "größer😀", "running"));
        table.add(List.of("job-10", "", "pending"));

        assertThat(table.lines(Paint.NONE))
                .containsExactly(
                        "JOB     NAME     STATE",
                        "job-2   größer😀  running",
                        "job-10  -        pending");
    }

    @Test
    void strangersCannotPaintOurTerminal() {
        var table = new Table(1);
        table.add(List.of("evil\033[2J\r\nname\u202e\u009b31m"));

        assertThat(table.lines(Paint.NONE)).containsExactly("evil?[2J??name??31m");
    }

    @Test
    void colourDoesNotDisturbTheColumns() {
        var table = new Table(2);
        table.add(List.of("failed", "x"));
        table.add(List.of("something", "y"));

        assertThat(table.lines(Paint.COLOUR))
                .containsExactly("\033[31mfailed\033[0m     x", "something  y");
    }
}
