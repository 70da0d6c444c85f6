package io.gpusched.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class WebhookSettingTest {
    @TempDir Path folder;

    private static Config read(String webhooks) {
        return ConfigReader.read(Arguments.of(), Map.of("GPU_SCHEDULER_ALERTS_WEBHOOKS", webhooks));
    }

    private static WebhookSetting only(String webhooks) {
        List<WebhookSetting> all = read(webhooks).alerts().webhooks();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @Test
    void allFieldsAreRead() {
        WebhookSetting setting =
                only(
                        "{name: chat, url: \"https://example.org/T0/x\", format: slack, secret: k1,"
                                + " severities: warning|critical, alerts: NodeLost|HotGpus}");
        assertThat(setting.name()).isEqualTo("chat");
        assertThat(setting.url()).hasToString("https://example.org/T0/x");
        assertThat(setting.format()).isEqualTo(WebhookSetting.Format.SLACK);
        assertThat(setting.secret()).isEqualTo("k1");
        assertThat(setting.severities()).isEqualTo(Set.of("warning", "critical"));
        assertThat(setting.alerts()).isEqualTo(Set.of(AlertName.NODE_LOST, AlertName.HOT_GPUS));
    }

    @Test
    void secretsComeFromFilesAndArePrintedNowhere() throws IOException {
        Path url = Files.writeString(folder.resolve("url"), "https://example.org/T0/s3cret\n");
        Path key = Files.writeString(folder.resolve("key"), "s3cret-key\n");
        String text = "{name: ops, url_file: %s, secret_file: %s}".formatted(url, key);
        Config config = read(text);
        WebhookSetting setting = config.alerts().webhooks().getFirst();
        assertThat(setting.url()).hasPath("/T0/s3cret");
        assertThat(setting.secret()).isEqualTo("s3cret-key");
        assertThat(setting).hasToString("webhook ops");
        assertThat(config.toString()).doesNotContain("s3cret");
        assertThat(
                        read("{name: ops, url: \"https://example.org/s3cret\", secret: s3cret}")
                                .written())
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{url: \"https://example.org/s3cret\"}; name: expected a name",
                "{name: ops}; url of webhook ops: expected an address",
                "{name: ops, url: \"http://example.org/s3cret\"}; url of webhook ops: expected"
                        + " https:",
                "{name: ops, url: \"ftp://example.org/s3cret\"}; url of webhook ops: expected an"
                        + " address",
                "{name: ops, url: \"https://me:s3cret@example.org/\"}; url of webhook ops: expected"
                        + " no user",
                "{name: ops, url: \"https://exa mple/s3cret\"}; url of webhook ops: expected an"
                        + " address",
                "{name: ops, url: \"https://e.org\", format: xml}; format of webhook ops: expected"
                        + " json or slack",
                "{name: ops, url: \"https://e.org\", severities: loud}; severities of webhook ops:"
                        + " expected some of",
                "{name: ops, url: \"https://e.org\", alerts: Nothing}; alerts of webhook ops:"
                        + " expected some of",
                "{name: ops, url: \"https://e.org\", key: s3cret}; key of webhook ops: expected one"
                        + " of",
                "{name: ops, url: \"https://e.org\", secret_file: /none/x}; secret_file of webhook"
                        + " ops: expected a readable",
                "{name: ops, url: \"https://e.org\"}, {name: ops, url: \"https://f.org\"}; expected"
                        + " each name once",
            })
    void aMistakeIsNamedWithItsFieldAndWithoutSecrets(String webhooks, String message) {
        assertThatThrownBy(() -> read(webhooks))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("alerts.webhooks (environment variable")
                .hasMessageContaining(message)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void plainHttpIsForThisMachineOrForThoseWhoAllowIt() {
        assertThat(only("{name: ops, url: \"http://127.0.0.1:99/x\"}").url()).hasPort(99);
        assertThat(only("{name: ops, url: \"http://[::1]:99/x\"}").url()).hasPort(99);
        Config config =
                ConfigReader.read(
                        Arguments.of(),
                        Map.of(
                                "GPU_SCHEDULER_ALERTS_WEBHOOKS",
                                "{name: ops, url: \"http://example.org\"}",
                                "GPU_SCHEDULER_ALERTS_ALLOW_HTTP",
                                "true"));
        assertThat(config.alerts().webhooks()).hasSize(1);
    }

    @Test
    void aSwitchRemovesOneConditionOrAll() {
        assertThat(read("").alerts().enabled()).hasSize(AlertName.values().length);
        assertThat(
                        ConfigReader.read(
                                        Arguments.of(),
                                        Map.of("GPU_SCHEDULER_ALERTS_NODE_LOST_ENABLED", "false"))
                                .alerts()
                                .enabled())
                .hasSize(AlertName.values().length - 1)
                .doesNotContain(AlertName.NODE_LOST);
        assertThat(
                        ConfigReader.read(
                                        Arguments.of(),
                                        Map.of("GPU_SCHEDULER_ALERTS_ENABLED", "false"))
                                .alerts()
                                .enabled())
                .isEmpty();
    }
}
