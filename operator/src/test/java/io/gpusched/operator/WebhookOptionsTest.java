package io.gpusched.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.operator.webhook.Webhook;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

final class WebhookOptionsTest {
    private static WebhookOptions options(String... words) {
        var options = new WebhookOptions();
        new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options)).parseArgs(words);
        return options;
    }

    @Test
    void thereIsNoWebhookUnlessAServiceIsNamed() {
        assertThat(options().settings()).isNull();
    }

    @Test
    void theNamesOfItsObjectsFollowFromTheService() {
        assertThat(options("--webhook=gpu/hook").settings())
                .isEqualTo(new Webhook.Settings(8443, "gpu", "hook", "hook-tls", "hook-gpu"));
    }

    @Test
    void anUnusableValueIsRefused() {
        for (String service : new String[] {"hook", "/hook", "gpu/", "a/b/c"}) {
            assertThatExceptionOfType(UnusableOption.class)
                    .isThrownBy(() -> options("--webhook", service).settings())
                    .withMessage("--webhook: expected NAMESPACE/SERVICE, found " + service);
        }
        assertThatExceptionOfType(UnusableOption.class)
                .isThrownBy(() -> options("--webhook=gpu/hook", "--webhook-port=70000").settings())
                .withMessageContaining("--webhook-port: expected 0 to 65535");
    }
}
