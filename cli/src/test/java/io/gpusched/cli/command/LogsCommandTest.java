package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Locale;

final class LogsCommandTest {
    private static final String LOGS = "GET /api/v1/jobs/j/logs";
    private static final String JOB = "GET /api/v1/jobs/j";

    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void logsAreCopiedByteForByte() {
        stand.says(LOGS, text("epoch 1 \033[32mok\033[0m ä\r\n"));

        var outcome = Shell.at(stand).run("logs", "j");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEqualTo("epoch 1 \033[32mok\033[0m ä\r\n");
        assertThat(pieces()).containsExactly(LOGS + "?offset=0");
    }

    @Test
    void aTaskAndAPlaceCanBeChosen() {
        stand.says(LOGS, text("x"));

        Shell.at(stand).run("logs", "j", "--task", "3", "--offset", "100");

        assertThat(pieces()).containsExactly(LOGS + "?task=3&offset=100");
    }

    @Test
    void aLogInPiecesIsReadToItsEnd() {
        String piece = "0123456789abcde\n".repeat(64 << 6);
        stand.says(LOGS, text(piece)).says(LOGS, text(piece)).says(LOGS, text("end\n"));

        var outcome = Shell.at(stand).run("logs", "j");

        assertThat(outcome.out()).hasSize(2 * piece.length() + 4).endsWith("end\n");
        assertThat(pieces())
                .containsExactly(
                        LOGS + "?offset=0", LOGS + "?offset=65536", LOGS + "?offset=131072");
    }

    @Test
    void followingGoesOnUntilTheJobHasEndedAndExitsAsItDid() {
        stand.says(JOB, "{\"state\":\"pending\"}")
                .says(JOB, "{\"state\":\"pending\"}")
                .says(JOB, "{\"state\":\"running\"}")
                .says(JOB, "{\"state\":\"failed\",\"exit_code\":9}")
                .says(LOGS, text(""))
                .says(LOGS, text("one\n"))
                .says(LOGS, text("two\n"))
                .says(LOGS, text("last\n"));

        var outcome = Shell.at(stand).run("logs", "j", "-f");

        assertThat(outcome.code()).isEqualTo(9);
        assertThat(outcome.out()).isEqualTo("one\ntwo\nlast\n");
        assertThat(stand.lines().stream().filter(line -> line.startsWith(LOGS)))
                .containsExactly(
                        LOGS + "?offset=0&follow=true",
                        LOGS + "?offset=0&follow=true",
                        LOGS + "?offset=4&follow=true",
                        LOGS + "?offset=8");
    }

    @Test
    void theLastLinesCanBeHadAlone() {
        stand.says(LOGS, text("one\ntwo\nthree\n", 14));

        assertThat(Shell.at(stand).run("logs", "j", "--tail", "2").out()).isEqualTo("two\nthree\n");
        assertThat(Shell.at(stand).run("logs", "j", "--tail", "9").out())
                .isEqualTo("one\ntwo\nthree\n");
        assertThat(stand.lines()).contains(LOGS + "?offset=-16384");
    }

    @Test
    void longLinesAreFetchedUntilThereAreEnough() {
        String line = "x".repeat(16 << 10);
        stand.says(LOGS, text(line)).says(LOGS, text("a\n" + line));

        assertThat(Shell.at(stand).run("logs", "j", "--tail", "1").out()).isEqualTo(line);
        assertThat(pieces()).containsExactly(LOGS + "?offset=-16384", LOGS + "?offset=-131072");
    }

    @Test
    void aNegativeNumberOfLinesIsWrongUsage() {
        var outcome = Shell.at(stand).run("logs", "j", "--tail", "-3");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("--tail: expected 0 or more, found '-3'");
        assertThat(stand.asked()).isEmpty();
    }

    @Test
    void droppedOutputIsReportedAndNotCounted() {
        stand.says(JOB, "{\"state\":\"running\"}")
                .says(JOB, "{\"state\":\"completed\"}")
                .says(LOGS, text("late\n", 1005))
                .says(LOGS, text("more\n"))
                .says(LOGS, text("", 1010));

        var outcome = Shell.at(stand).run("logs", "j", "-f");

        assertThat(outcome.out()).isEqualTo("late\nmore\n");
        assertThat(outcome.err()).isEqualTo("gpu-cli: the oldest 1000 bytes are no longer kept\n");
        assertThat(pieces())
                .containsExactly(
                        LOGS + "?offset=0",
                        LOGS + "?offset=1005&follow=true",
                        LOGS + "?offset=1010");
    }

    @Test
    void theShownTaskOfAGangIsNamed() {
        stand.says(JOB, "{\"state\":\"completed\",\"tasks\":4}").says(LOGS, text("x\n", 2));

        String said = "gpu-cli: this is task 0 of 4; choose another with --task\n";
        assertThat(Shell.at(stand).run("logs", "j").err()).isEqualTo(said);
        assertThat(Shell.at(stand).run("logs", "j", "-f").err()).isEqualTo(said);
        assertThat(Shell.at(stand).run("logs", "j", "--task", "0").err()).isEmpty();
    }

    @Test
    void anEmptyLogOfAWaitingJobIsExplained() {
        stand.says(JOB, "{\"id\":\"j\",\"state\":\"pending\",\"message\":\"next in line\"}")
                .says(LOGS, text("", 0));

        for (String more : List.of("--offset=0", "--tail=5", "--task=0")) {
            assertThat(Shell.at(stand).run("logs", "j", more).err())
                    .contains("j is pending (next in line)");
        }
    }

    @Test
    void anEarlierAttemptCanBeShown() {
        stand.says(LOGS, text("x"));

        Shell.at(stand).run("logs", "j", "--attempt", "1");

        assertThat(pieces()).containsExactly(LOGS + "?attempt=1&offset=0");
    }

    @Test
    void followingAWaitingJobExplainsTheSilence() {
        stand.says(JOB, "{\"id\":\"j\",\"state\":\"pending\",\"message\":\"next in line\"}")
                .says(JOB, "{\"state\":\"completed\"}")
                .says(LOGS, text(""));

        assertThat(Shell.at(stand).run("logs", "j", "-f").err())
                .isEqualTo(
                        "gpu-cli: j is pending (next in line); it has no output until it runs\n");
    }

    @Test
    void aJobThatWaitsAgainPointsToItsEarlierOutput() {
        stand.says(JOB, "{\"id\":\"j\",\"state\":\"preempted\",\"attempts\":2}")
                .says(LOGS, text("", 0));

        assertThat(Shell.at(stand).run("logs", "j").err()).contains("gpu-cli logs j --attempt 2");
    }

    @Test
    void aRefusalIsReported() {
        stand.says(LOGS, 404, "{\"error\":\"job j has not run yet\"}");

        var outcome = Shell.at(stand).run("logs", "j");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err().toLowerCase(Locale.ROOT)).contains("has not run yet (http 404)");
    }

    @Test
    void theServerKnowsBetterWhereTheNextPieceBegins() {
        String piece = "x".repeat(64 << 10);
        stand.says(LOGS, text(piece, 100_000)).says(LOGS, text("end", 100_003));

        Shell.at(stand).run("logs", "j", "--offset", "-70000");

        assertThat(pieces()).containsExactly(LOGS + "?offset=-70000", LOGS + "?offset=100000");
    }

    @Test
    void followingTheLastBytesGoesOnWhereTheyEnd() {
        stand.says(JOB, "{\"state\":\"completed\"}")
                .says(LOGS, text("tail", 1004))
                .says(LOGS, text("more"))
                .says(LOGS, text(""));

        var outcome = Shell.at(stand).run("logs", "j", "-f", "--offset", "-4");

        assertThat(outcome.out()).isEqualTo("tailmore");
        assertThat(stand.lines())
                .containsSubsequence(LOGS + "?offset=-4", LOGS + "?offset=1004&follow=true")
                .endsWith(LOGS + "?offset=1008");
    }

    @Test
    void anotherRunOfTheJobIsFollowedFromItsBeginning() {
        stand.says(JOB, "{\"state\":\"running\",\"attempts\":1}")
                .says(JOB, "{\"state\":\"running\",\"attempts\":2}")
                .says(JOB, "{\"state\":\"completed\",\"attempts\":2}")
                .says(LOGS, text("first ", 6))
                .says(LOGS, text("run\n"))
                .says(LOGS, text("second run\n"))
                .says(LOGS, text(""));

        var outcome = Shell.at(stand).run("logs", "j", "-f");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEqualTo("first run\nsecond run\n");
        assertThat(stand.lines().stream().filter(line -> line.startsWith(LOGS)))
                .containsExactly(
                        LOGS + "?offset=0",
                        LOGS + "?offset=6&follow=true",
                        LOGS + "?offset=0&follow=true",
                        LOGS + "?offset=11");
    }

    @Test
    void aFollowerOutlivesARestartOfTheServer() {
        stand.says(JOB, "{\"state\":\"running\"}")
                .says(JOB, 503, "{\"error\":\"starting\"}")
                .says(JOB, "{\"state\":\"completed\"}")
                .says(LOGS, text("one\n"))
                .says(LOGS, text("two\n"))
                .says(LOGS, 503, "{\"error\":\"the machine is away\"}");

        var outcome = Shell.at(stand).run("logs", "j", "-f");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEqualTo("one\ntwo\n");
        assertThat(outcome.err()).contains("the end of the log is missing");
    }

    @Test
    void followingShowsHowAJobEndedOnAnUnreachableNode() {
        stand.says(JOB, "{\"state\":\"running\"}")
                .says(JOB, "{\"state\":\"running\"}")
                .says(JOB, "{\"state\":\"running\"}")
                .says(JOB, "{\"state\":\"failed\",\"exit_code\":4}")
                .says(LOGS, text("one\n"))
                .says(LOGS, 503, "{\"error\":\"node n1 is not connected\"}");

        var outcome = Shell.at(stand).run("logs", "j", "-f");

        assertThat(outcome.code()).isEqualTo(4);
        assertThat(outcome.out()).isEqualTo("one\n");
        assertThat(outcome.err())
                .as("said once, however often it is tried")
                .isEqualTo(
                        "gpu-cli: refused: node n1 is not connected (HTTP 503); still trying\n"
                                + "gpu-cli: the end of the log is missing: refused: node n1 is not"
                                + " connected (HTTP 503)\n");
    }

    @Test
    void followingEndsWhenStandardOutputIsClosed() {
        stand.says(JOB, "{\"state\":\"running\"}").says(LOGS, text("line\n"));

        assertThat(Shell.at(stand).withClosedOutput().run("logs", "j", "-f").code()).isEqualTo(1);
        assertThat(stand.asked()).hasSize(2);
    }

    private List<String> pieces() {
        return stand.lines().stream().filter(line -> line.startsWith(LOGS)).toList();
    }

    private static Stand.CannedResponse text(String body) {
        return new Stand.CannedResponse(200, "text/plain", body);
    }

    private static Stand.CannedResponse text(String body, long next) {
        return new Stand.CannedResponse(200, "text/plain", body, Long.toString(next));
    }
}
