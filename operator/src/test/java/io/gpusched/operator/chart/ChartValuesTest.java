package io.gpusched.operator.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Values that the chart refuses, and the configuration file that it makes of the others.
final class ChartValuesTest {
    @TempDir Path home;

    static List<Path> cases() {
        return Chart.cases();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    image.pullPolcy=Always                 | at '/image': additional properties 'pullPolcy' not allowed
                    replicas=two                           | at '/replicas': got string, want integer
                    image.pullPolicy=Sometimes             | at '/image/pullPolicy': value must be one of
                    persistence.size=big                   | at '/persistence/size': 'big' does not match pattern
                    persistence.accessMode=ReadWrite       | at '/persistence/accessMode': value must be one of
                    tokens.admin=short                     | at '/tokens/admin': 'short' does not match pattern
                    operator.enabled=maybe                 | at '/operator/enabled': got string, want boolean
                    config.lambdaUncertainty=-1            | at '/config/lambdaUncertainty': minimum: got -1, want 0
                    service.httpPort=70000                 | at '/service/httpPort': maximum
                    serviceMonitor.interval=often          | at '/serviceMonitor/interval': 'often' does not match pattern
                    replicas=2                             | replicas: expected 1 with SQLite
                    replicas=2,database.url=postgresql://h/d,database.existingSecret=s | Set persistence.accessMode: ReadWriteMany
                    database.url=mysql://h/d               | database.url: expected postgresql://HOST:PORT/DATABASE
                    database.url=postgresql://h            | expected postgresql://HOST:PORT/DATABASE with a host and the name
                    database.url=postgresql://u:p@h/d      | database.url: expected no user and no password in it
                    database.url=postgresql://h/d          | database.existingSecret: expected the name of a Secret
                    database.url=postgresql://h/d?timeout=3,database.existingSecret=s | expected no parameter but sslmode, found "timeout=3"
                    tls.certificate=x                      | tls: expected certificate, privateKey and ca together
                    tls.existingSecret=a,tls.certManager.enabled=true | tls: expected only one of
                    tokens.admin=0123456789abcdef0123456789abcdef | tokens: expected admin and agent together
                    autoscaling.enabled=true               | autoscaling.enabled: expected gateway.enabled: true
                    webhook.enabled=true,operator.enabled=false | webhook.enabled: expected operator.enabled: true
                    operator.leaderElection.enabled=false | operator.replicas: expected 1 without operator.leaderElection.enabled
                    gateway.ingress.enabled=true           | gateway.ingress: expected gateway.enabled: true and gateway.ingress.host
                    config.settings.api.http_port=1        | config.settings.api.http_port: expected it to be absent
                    config.settings.data_dir=/x            | config.settings.data_dir: expected it to be absent
                    """)
    void aWrongValueIsRefusedByName(String values, String message) {
        var arguments = new ArrayList<String>();
        for (String value : values.split(",")) {
            arguments.add("--set");
            arguments.add(value);
        }

        var ended = new Chart(home).template(arguments.toArray(String[]::new));

        assertThat(ended.code()).isNotZero();
        assertThat(ended.err()).contains(message);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theSchedulerTakesTheConfigurationFile(Path values) throws IOException {
        Config config = config("--values", values.toString());

        assertThat(config.remarks()).isEmpty();
        assertThat(config.api().auth()).isTrue();
        assertThat(config.api().tls()).isTrue();
        assertThat(config.auth().hasTokens()).isTrue();
    }

    @Test
    void theKeysOfTheEarlierChartAreSettings() throws IOException {
        Path seed = Chart.root().resolve("deploy/helm/tests/seed.yaml");
        Config config = config("--values", seed.toString());

        assertThat(config.written())
                .containsPattern("lambda_uncertainty: 0\\.5 ")
                .containsPattern("beta_exploration: 0\\.2 ")
                .containsPattern("enable_interference: false ");
        Config usual = config();
        assertThat(usual.written())
                .containsPattern("lambda_uncertainty: 0\\.3 ")
                .containsPattern("beta_exploration: 0\\.7 ")
                .containsPattern("enable_interference: true ");
    }

    @Test
    void theUrlOfADatabaseIsSettings() throws IOException {
        Path postgres = Chart.root().resolve("deploy/helm/tests/postgres.yaml");
        var database = config("--values", postgres.toString()).database();

        assertThat(database.postgres()).isTrue();
        assertThat(database.host()).isEqualTo("db.example.org");
        assertThat(database.port()).isEqualTo(6432);
        assertThat(database.database()).isEqualTo("gpu_scheduler");
        assertThat(database.sslmode()).isEqualTo("verify-full");
    }

    @Test
    void furtherSettingsReachTheScheduler() throws IOException {
        Path everything = Chart.root().resolve("deploy/helm/tests/everything.yaml");
        Config config = config("--values", everything.toString());

        assertThat(config.log().json()).isTrue();
        assertThat(config.written())
                .contains("policy: fair ")
                .contains("max_queue_size: 5000000 ")
                .contains("fair_share.half_life_hours: 24");
    }

    private Config config(String... arguments) throws IOException {
        String text =
                new Chart(home)
                        .objects(arguments).stream()
                                .map(each -> each.at("/data/scheduler-config.yaml").asText())
                                .filter(each -> !each.isEmpty())
                                .findFirst()
                                .orElseThrow();
        Path file = Files.writeString(home.resolve("scheduler-config.yaml"), text);
        return ConfigReader.read(Arguments.of("--config", file.toString()), Map.of());
    }
}
