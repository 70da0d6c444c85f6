package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.command.CliCommand;
import io.gpusched.cli.command.CommandCatalogue;
import io.gpusched.cli.command.GlobalOptions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// Usage, help, and every way in which a server can refuse or fail to answer.
final class MainTest {
    private static final String STATUS = "GET /api/v1/cluster/status";

    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void withoutACommandHelpIsShownAsAnError() {
        var outcome = new Shell().run();

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("Usage: gpu-cli [OPTIONS] COMMAND ...");
    }

    @Test
    void helpNamesEveryCommand() {
        var outcome = new Shell().run("--help");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.err()).isEmpty();
        CommandCatalogue.NAMES.forEach(
                name -> assertThat(outcome.out()).contains("\n  " + name + " "));
        assertThat(new Shell().run("help").out()).isEqualTo(outcome.out());
    }

    @Test
    void helpSaysWhatCommandsThatWaitForAJobReturn() {
        assertThat(new Shell().run("--help").out())
                .contains(
                        """

                        Exit codes: 0 success, 1 refused or failed, 2 invalid command line.
                        wait, submit --wait and logs --follow exit with the code of the job:
                          0        the job completed
                          1 - 255  the job failed with this exit code; 128+n: signal n ended it
                          100      the job failed without an exit code
                          101      the job had not ended when the wait ended
                          102      there is no such job (wait only; the others exit with 1)
                          103      the job was cancelled

                        """);
    }

    @Test
    void everyCommandHasHelpThatFitsAScreenAndAnExample() {
        for (String name : CommandCatalogue.NAMES) {
            var outcome = new Shell().run(name, "--help");

            assertThat(outcome.code()).as(name).isZero();
            assertThat(outcome.out()).startsWith("Usage: gpu-cli " + name).contains("  gpu-cli ");
            assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 100, name);
            assertThat(new Shell().run("help", name).out()).isEqualTo(outcome.out());
        }
    }

    @Test
    void aliasesBelongToOneCommandEach() {
        var seen = new HashSet<String>();
        for (CliCommand cliCommand : CommandCatalogue.all()) {
            var names = new ArrayList<>(cliCommand.syntax().aliases());
            names.add(cliCommand.syntax().name());
            for (String name : names) {
                assertThat(seen.add(name)).as(name).isTrue();
                assertThat(CommandCatalogue.named(name)).hasSameClassAs(cliCommand);
            }
        }
    }

    @Test
    void noOptionHasTwoMeaningsInOneCommand() {
        for (CliCommand cliCommand : CommandCatalogue.all()) {
            var seen = new HashSet<String>();
            var options = new ArrayList<>(cliCommand.syntax().options());
            options.addAll(GlobalOptions.ALL);
            for (var option : options) {
                option.names().forEach(name -> assertThat(seen.add(name)).as(name).isTrue());
            }
        }
    }

    @Test
    void theVersionIsPrintedWithoutAServer() {
        for (String word : List.of("version", "--version", "-V")) {
            var outcome = new Shell().run(word);

            assertThat(outcome.code()).isZero();
            assertThat(outcome.out()).matches("gpu-cli \\d+\\.\\d+.*\n");
        }
    }

    @Test
    void anUnknownCommandIsAnsweredWithAGuess() {
        var outcome = new Shell().run("sumbit");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err())
                .isEqualTo(
                        """
                        gpu-cli: unknown command sumbit; did you mean submit?
                        Try 'gpu-cli --help', or 'gpu-cli COMMAND --help'.
                        """);
    }

    @Test
    void aWordOfAnotherProgramIsAnsweredWithOurs() {
        assertThat(new Shell().run("watch").err())
                .contains("unknown command watch; to watch jobs: gpu-cli list --watch");
        assertThat(new Shell().run("kill").err()).contains("did you mean cancel?");
        assertThat(new Shell().run("srun").err()).contains("gpu-cli submit --wait -- COMMAND");
        assertThat(new Shell().run("sacct").err()).contains("gpu-cli list --all -o wide");
        assertThat(new Shell().run("sbatch", "--time", "10").err())
                .contains("unknown option --time; write --max-runtime instead");
    }

    @Test
    void anUnknownFormatIsWrongUsage() {
        var outcome = Shell.at(stand).run("status", "-o", "xml");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("option --output: expected table, wide, json, yaml or name, found 'xml'");
    }

    @Test
    void aRefusalIsPrintedInFull() {
        stand.says(
                "POST /api/v1/jobs",
                403,
                """
                {"error":"quota exceeded for tenant t: GPUs requested=16, quota=8, current=0",
                 "code":"quota","field":"gpu_count","hint":"ask for at most 8"}
                """);

        var outcome = Shell.at(stand).run("submit", "--gpus", "16");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .isEqualTo(
                        """
                        gpu-cli: refused: quota exceeded for tenant t: GPUs requested=16, quota=8, \
                        current=0 (HTTP 403)
                          field: gpu_count
                          hint:  ask for at most 8
                        """);
    }

    @Test
    void aRefusalCannotPaintTheTerminal() {
        stand.says(STATUS, 400, "{\"error\":\"a\\u001b[2Jb\"}");

        assertThat(Shell.at(stand).onTerminal().run("status").err())
                .isEqualTo("gpu-cli: refused: a?[2Jb (HTTP 400)\n");
    }

    @Test
    void aRefusalWithoutJsonIsQuoted() {
        stand.says(
                STATUS, new Stand.CannedResponse(502, "text/html", "<html>\n bad  gateway</html>"));

        assertThat(Shell.at(stand).run("status").err())
                .isEqualTo("gpu-cli: refused: <html> bad gateway</html> (HTTP 502)\n");
    }

    @Test
    void aMissingTokenIsExplained() {
        stand.says(STATUS, 401, "{\"error\":\"no token\"}");

        assertThat(Shell.at(stand).run("status").err())
                .contains("hint:  give a token with --token, --token-file or GPU_SCHEDULER_TOKEN");
    }

    @Test
    void anAnswerThatIsNotJsonIsNotBelieved() {
        stand.says(STATUS, new Stand.CannedResponse(200, "text/html", "<html>hello</html>"));

        var outcome = Shell.at(stand).run("status");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("the answer is not JSON (line 1, column 1: expected a value, found '<')")
                .contains("<html>hello</html>; is --api-url the address of a gpu-scheduler?");
    }

    @Test
    void aRedirectIsNotFollowedBlindly() {
        stand.says(STATUS, 301, "");

        assertThat(Shell.at(stand).run("status").err())
                .contains("redirects to https://elsewhere:8443; give that address with --api-url");
    }

    @Test
    void aRefusedConnectionIsExplained() {
        stand.close();

        var outcome = Shell.at(stand).run("status");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err())
                .isEqualTo(
                        "gpu-cli: no answer from "
                                + stand.url()
                                + " (connection refused): is the scheduler running? start it with"
                                + " bin/scheduler, or name another address with --api-url\n");
        assertThat(Shell.at(stand).run("priority", "j", "1").err())
                .contains("is the scheduler running?");
    }

    @Test
    void theAddressMayBeGivenInManyWays() {
        stand.says(STATUS, "{}");
        String bare = "127.0.0.1:" + stand.port();

        assertThat(new Shell().run("--api-url", bare, "status").code()).isZero();
        assertThat(new Shell().run("status", "--api-url", "http://" + bare + "//").code()).isZero();
        assertThat(new Shell().with("GPU_SCHEDULER_API_URL", bare).run("status").code()).isZero();
        assertThat(stand.lines()).containsOnly(STATUS);
    }

    @Test
    void anAddressThatIsNoneIsWrongUsage() {
        for (String url : List.of("ftp://x", "http://", "http://a b", "http://x?y=1", "")) {
            var outcome = new Shell().run("status", "--api-url", url);

            assertThat(outcome.code()).as(url).isEqualTo(2);
            assertThat(outcome.err())
                    .contains("--api-url: expected an address like http://localhost:8080");
        }
    }

    @Test
    void theTokenComesFromOptionFileOrEnvironmentInThisOrder(@TempDir Path folder)
            throws IOException {
        stand.says(STATUS, "{}");
        Path file = folder.resolve("token");
        Files.writeString(file, "from-file\n");
        Shell shell = Shell.at(stand).with("GPU_SCHEDULER_TOKEN", "from-environment");

        shell.run("status");
        shell.run("status", "--token-file", file.toString());
        shell.run("status", "--token-file", file.toString(), "--token", "from-option");

        assertThat(stand.asked())
                .extracting(asked -> asked.headers().get("authorization"))
                .containsExactly(
                        "Bearer from-environment", "Bearer from-file", "Bearer from-option");
    }

    @Test
    void aTokenThatIsNoneIsWrongUsage() {
        assertThat(Shell.at(stand).run("status", "--token", "a b").code()).isEqualTo(2);
        assertThat(Shell.at(stand).run("status", "--token-file", "absent").err())
                .contains("option --token-file: cannot read absent");
    }

    @Test
    void aTokenOnAnOpenRoadIsWarnedAbout() {
        var outcome =
                new Shell()
                        .with("GPU_SCHEDULER_TOKEN", "t")
                        .run("version", "--api-url", "http://10.0.0.1");

        assertThat(outcome.err()).contains("the token travels unencrypted");
        assertThat(Shell.at(stand).with("GPU_SCHEDULER_TOKEN", "t").run("version").err()).isEmpty();
    }
}
