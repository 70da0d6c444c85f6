package io.gpusched.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigException;
import io.gpusched.server.config.ConfigReader;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Tokens that were made elsewhere, in the directory of `auth.tokens_dir`.
final class GivenTokensTest {
    private static final String ADMIN = "a".repeat(32);
    private static final String AGENT = "b".repeat(32);
    private static final String GATEWAY = "c".repeat(20) + ".d-_=" + "c".repeat(20);

    @TempDir Path temp;
    private Path given;
    private Path dataDir;

    @BeforeEach
    void makeDirectories() throws IOException {
        given = Files.createDirectory(temp.resolve("given"));
        dataDir = temp.resolve("data");
    }

    @Test
    void eachFileIsATokenForOnePurpose() throws IOException {
        give("admin-token", ADMIN);
        give("agent-token", AGENT);
        give("gateway-token", GATEWAY);

        Access access = access();

        assertThat(access.tokens().callerOf(ADMIN))
                .isEqualTo(new Caller.Admin("admin/admin-token"));
        assertThat(access.tokens().callerOf(AGENT)).isEqualTo(new Caller.Joiner("agent-token"));
        assertThat(access.tokens().callerOf(GATEWAY))
                .isEqualTo(new Caller.Gateway("gateway-token"));
        assertThat(access.tokens().callerOf(ADMIN + "a")).isNull();
        assertThat(access.mayJoin(AGENT)).isTrue();
        assertThat(access.mayJoin(GATEWAY)).isFalse();
    }

    @Test
    void noOtherFirstTokenIsMadeForTheSamePurpose() throws IOException {
        give("admin-token", ADMIN);

        Access.open(config());

        assertThat(dataDir.resolve("admin-token")).doesNotExist();
        assertThat(dataDir.resolve("agent-token")).exists();
        assertThat(Access.adminFile(config())).isEqualTo(given.resolve("admin-token"));
        assertThat(Access.joinFile(config())).isEqualTo(dataDir.resolve("agent-token"));
    }

    @Test
    void mintedTokensAreValidBesideThem() throws IOException {
        give("admin-token", ADMIN);
        give("agent-token", AGENT);
        String member = access().tokens().mint(Token.Kind.MEMBER, "team-a").text();

        Tokens after = access().tokens();

        assertThat(after.callerOf(member)).isInstanceOf(Caller.Member.class);
        assertThat(after.callerOf(ADMIN)).isInstanceOf(Caller.Admin.class);
        assertThat(after.matching(token -> true)).hasSize(1);
    }

    @Test
    void anEmptyOrMissingDirectoryIsRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(this::access)
                .withMessage(
                        "auth.tokens_dir: expected a file admin-token, agent-token or gateway-token"
                                + " in %s, found none",
                        given);
    }

    @Test
    void aShortTokenAndOneWithBlanksAreRefusedWithTheCommandThatMakesOne() throws IOException {
        for (String bad : new String[] {"", "short", "a".repeat(20) + " " + "b".repeat(20)}) {
            give("agent-token", bad);
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(this::access)
                    .withMessageContaining("at least 32 characters in " + given)
                    .withMessageContaining("found %s characters", bad.length())
                    .withMessageContaining("openssl rand -hex 32");
        }
    }

    @Test
    void oneTokenForTwoPurposesIsRefused() throws IOException {
        give("admin-token", ADMIN);
        give("agent-token", ADMIN);

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(this::access)
                .withMessageContaining("found one twice");
    }

    @Test
    void aFileThatIsNoTextIsRefused() throws IOException {
        Files.write(given.resolve("admin-token"), new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(this::access)
                .withMessageContaining("expected a readable text file");
    }

    private void give(String name, String text) throws IOException {
        Files.writeString(given.resolve(name), text + "\n");
    }

    private Access access() {
        return Access.open(config());
    }

    private Config config() {
        return ConfigReader.read(
                Arguments.of("--data-dir", dataDir.toString()),
                Map.of("GPU_SCHEDULER_AUTH_TOKENS_DIR", given.toString()));
    }
}
