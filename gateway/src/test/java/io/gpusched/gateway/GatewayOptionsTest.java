package io.gpusched.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

final class GatewayOptionsTest {
    private static GatewaySettings settings(String... options) {
        var read = new GatewayOptions();
        new CommandLine(CommandLine.Model.CommandSpec.create().addMixin("options", mixin(read)))
                .parseArgs(options);
        return read.settings();
    }

    private static CommandLine.Model.CommandSpec mixin(GatewayOptions options) {
        return CommandLine.Model.CommandSpec.forAnnotatedObject(options);
    }

    @Test
    void theNameContainsHostAndPort() {
        assertThat(settings("--listen", "127.0.0.1:8123").id()).matches("gateway-.+-8123");
        assertThat(settings("--id", "x".repeat(128)).id()).hasSize(128);
    }

    /// The scheduler would refuse every report.
    @Test
    void aNameThatIsTooLongIsRefusedAtTheStart() {
        assertThatThrownBy(() -> settings("--id", "x".repeat(129)))
                .isInstanceOf(InvalidOption.class)
                .hasMessageContaining("--id: expected a name of 1 to 128 characters, found 129");
        assertThatThrownBy(() -> settings("--id", " ")).isInstanceOf(InvalidOption.class);
    }
}
