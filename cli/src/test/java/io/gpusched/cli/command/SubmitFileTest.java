package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonParser;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `gpu-cli submit run.sh a b`: the file is read at submission.
final class SubmitFileTest {
    @TempDir private Path folder;

    private final Stand stand =
            new Stand().says("POST /api/v1/jobs", 201, "{\"job_id\":\"job-7\",\"status\":\"s\"}");

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void theTextIsSentAndTheArgumentsReachIt() throws Exception {
        String file = file("run.sh", "echo \"$0 $# $2\"\n");

        var outcome = Shell.at(stand).run("submit", "--gpus", "2", file, "a", "b c", "--lr=1");

        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(sent().at("gpu_count").number(0)).isEqualTo(2);
        assertThat(sent().at("script").isNil()).isTrue();
        assertThat(ran()).isEqualTo("run.sh 3 b c\n");
    }

    @Test
    void theInterpreterOfTheFirstLineRunsIt() throws Exception {
        Shell.at(stand).run("submit", file("run.sh", "#!/bin/bash -e\na=(x y)\necho ${a[1]} $1\n"));

        assertThat(items("command")).startsWith("/bin/bash", "-e", "-c").endsWith("run.sh");
    }

    @Test
    void aPythonProgramFindsItsArguments() throws Exception {
        String text = "#!/usr/bin/env python3\nimport sys\nprint(sys.argv[1:])\n";
        Shell.at(stand).run("submit", file("train.py", text), "--epochs", "3");

        assertThat(items("command")).containsExactly("/usr/bin/env", "python3", "-c", text);
        assertThat(items("args")).containsExactly("--epochs", "3");
    }

    @Test
    void anotherInterpreterIsRefused() throws Exception {
        assertRefused(
                file("run.awk", "#!/usr/bin/awk -f\n"), "is a script for awk", "-- ./run.awk");
    }

    @Test
    void anAbsentFileIsMetWithTheTwoDashes() {
        assertRefused(
                "train.sh",
                "there is no file train.sh to submit",
                "gpu-cli submit ... -- train.sh");
    }

    @Test
    void whatIsNoScriptIsRefused() throws Exception {
        assertRefused(folder.toString(), "is not a regular file");
        assertRefused(file("empty", " \n"), "is empty");
        assertRefused(file("dos", "#!/bin/sh\r\necho\r\n"), "Windows line endings");
        assertRefused(file("nul", "a\0b"), "is not a text file", "-- ./nul");
        assertRefused(file("large", "#".repeat(100_001)), "has 100001 bytes", "at most 100000");
        Path binary = Files.write(folder.resolve("elf"), new byte[] {0x7f, 'E', 'L', 'F', -1, -2});
        assertRefused(binary.toString(), "is not a text file");
    }

    @Test
    void aFileExcludesOtherWaysToSayWhatRuns() throws Exception {
        String file = file("run.sh", "echo\n");
        var outcome = Shell.at(stand).run("submit", "--script", "echo", file);

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("and --script exclude each other");
    }

    @Test
    void ourOptionsAfterTheFileAreWarnedOf() throws Exception {
        String file = file("run.sh", "echo\n");

        assertThat(Shell.at(stand).run("submit", file, "--gpus", "2").err())
                .startsWith("warning: --gpus comes after " + file);
        assertThat(Shell.at(stand).run("submit", file, "--", "--gpus", "2").err()).isEmpty();
    }

    @Test
    void aFileAsShellTextIsWarnedOf() throws Exception {
        String file = file("run.sh", "echo\n");
        var outcome = Shell.at(stand).run("submit", "--script", file + " fast");

        assertThat(outcome.code()).isZero();
        assertThat(sent().at("script").text()).isEqualTo(file + " fast");
        assertThat(outcome.err())
                .contains("the node reads the file " + file + " when the job runs")
                .contains("gpu-cli submit ... " + file + " fast");
        assertThat(Shell.at(stand).run("submit", "--script", "echo hi").err()).isEmpty();
    }

    private void assertRefused(String file, String... says) {
        var outcome = Shell.at(stand).run("submit", file, "x");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains(says);
        assertThat(stand.asked()).isEmpty();
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private Json sent() {
        return JsonParser.read(stand.asked().getFirst().body());
    }

    private List<String> items(String field) {
        return sent().at(field).items().stream().map(Json::text).toList();
    }

    /// The output of the command when it is run as a node runs it.
    private String ran() throws Exception {
        var words = new ArrayList<>(items("command"));
        words.addAll(items("args"));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        return out;
    }
}
