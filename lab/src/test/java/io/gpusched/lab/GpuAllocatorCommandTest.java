package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/// On a small sample of our own making, so that it needs nothing beside the project.
final class GpuAllocatorCommandTest {
    private static final String MACHINES =
            """
            {"nodes": {"pairs": {"gpus": 4,
              "nvlinks": [[0,0,2,0],[0,0,0,2],[2,0,0,0],[0,2,0,0]],
              "pcie": [["X","PIX","SYS","SYS"],["PIX","X","SYS","SYS"],
                       ["SYS","SYS","X","PIX"],["SYS","SYS","PIX","X"]]}}}
            """;

    @TempDir Path folder;

    @Test
    void equalChoicesAreCounted() throws IOException {
        write("topologies.json", MACHINES);
        write(
                "besteffort_expected.csv",
                "node,available,size,result\npairs,0 1 2 3,2,0 2\npairs,1 2 3,1,1\n");
        write(
                "allocation_cases.json",
                """
                {"single_shot": [{"policy": "best-effort", "node": "pairs", "name": "held",
                   "available": [0,1,2,3], "required": [3], "size": 2, "expect": [1,3]}],
                 "sequences": [{"policy": "best-effort", "node": "pairs", "name": "all",
                   "steps": [{"size": 2, "expect": [0,2]}, {"size": 2, "expect": [1,3]},
                             {"size": 1, "expect": []}]}]}
                """);
        var out = new StringWriter();
        assertThat(run(out)).isZero();
        assertThat(out.toString())
                .contains("besteffort_expected.csv: 2 of 2 equal")
                .contains("allocation_cases.json: 4 of 4 equal")
                .contains("equal 6 of 6");
    }

    @Test
    void aDifferenceIsShownAndFails() throws IOException {
        write("topologies.json", MACHINES);
        write("besteffort_expected.csv", "node,available,size,result\npairs,0 1 2 3,2,0 1\n");
        var out = new StringWriter();
        assertThat(run(out)).isEqualTo(1);
        assertThat(out.toString()).contains("differs").contains("equal 0 of 1");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private int run(StringWriter out) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute("gpu-allocator", "--data", folder.toString());
    }
}
