package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// `gpu-cli alerts`.
final class AlertsCommandTest {
    private static final String ALERT =
            """
            {"id":"alert-12","name":"NodeLost","severity":"critical","state":"firing",
             "since":"2026-01-01T10:00:00.5Z","resolved_at":null,"tenant_id":null,"job_id":null,
             "node_id":"node-3","value":8,"threshold":0,"message":"node node-3 is lost",
             "remedy":"check the machine","silenced_until":null,"silence_reason":null}
            """;

    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void alertsAreListedWithTheirMessage() {
        stand.says("GET /api/v1/alerts", "{\"alerts\":[" + ALERT + "],\"total\":1}");

        assertThat(Shell.at(stand).run("alerts", "--firing").out())
                .isEqualTo(
                        """
                        ALERT     NAME      SEVERITY  STATE   SINCE                 MESSAGE
                        alert-12  NodeLost  critical  firing  2026-01-01T10:00:00Z  node node-3 is lost
                        1 alert fires
                        """);
        assertThat(stand.asked().getLast().query()).isEqualTo("state=firing");
        var json = Shell.at(stand).run("alerts", "-o", "json");
        assertThat(json.out()).contains("\"remedy\": \"check the machine\"");
        assertThat(json.code()).isZero();
    }

    @Test
    void anAlertIsSilenced() {
        stand.says(
                "POST /api/v1/alerts/alert-12/silence",
                ALERT.replace(
                        "\"silenced_until\":null", "\"silenced_until\":\"2026-01-01T12:00:00Z\""));
        stand.says("DELETE /api/v1/alerts/alert-12/silence", ALERT);

        var silenced =
                Shell.at(stand)
                        .run("alerts", "silence", "alert-12", "--minutes", "120", "--reason", "x");
        assertThat(silenced.out()).isEqualTo("alert-12: silenced until 2026-01-01T12:00:00Z\n");
        assertThat(stand.asked().getLast().body()).isEqualTo("{\"minutes\":120,\"reason\":\"x\"}");
        assertThat(Shell.at(stand).run("alerts", "unsilence", "alert-12").out())
                .isEqualTo("alert-12: no longer silenced\n");
    }

    @Test
    void aTestThatDoesNotReachAWebhookFails() {
        stand.says(
                "POST /api/v1/alerts/test",
                """
                {"webhooks":[{"name":"chat","delivered":true,"status":200,"error":null},
                 {"name":"ops","delivered":false,"status":null,"error":"no connection"}],"total":2}
                """);
        var result = Shell.at(stand).run("alerts", "test");
        assertThat(result.out())
                .isEqualTo(
                        """
                        WEBHOOK  DELIVERED  STATUS  ERROR
                        chat     true       200     -
                        ops      false      -       no connection
                        """);
        assertThat(result.code()).isEqualTo(1);
    }

    @Test
    void wrongUseIsToldWhatIsExpected() {
        assertThat(Shell.at(stand).run("alerts", "mute").err())
                .contains("expected silence, unsilence or test, found 'mute'");
        assertThat(Shell.at(stand).run("alerts", "silence").err()).contains("missing ALERT");
        assertThat(Shell.at(stand).run("alerts", "--minutes", "5").err())
                .contains("--minutes and --reason belong to silence ALERT");
    }
}
