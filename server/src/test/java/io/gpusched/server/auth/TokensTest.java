package io.gpusched.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.core.model.TenantId;
import io.gpusched.store.StoreException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

final class TokensTest {
    @TempDir Path dataDir;

    @Test
    void theFirstStartLeavesATokenForTheAdministratorAndOneForAgents() throws IOException {
        Tokens tokens = Tokens.open(dataDir);

        assertThat(tokens.callerOf(Files.readString(Tokens.adminFile(dataDir)).strip()))
                .isInstanceOf(Caller.Admin.class);
        assertThat(tokens.callerOf(Files.readString(Tokens.joinFile(dataDir)).strip()))
                .isInstanceOf(Caller.Joiner.class);
    }

    @Test
    void onlyTheOwnerCanReadWhatIsKeptAndNoTokenIsInIt() throws IOException {
        Tokens tokens = Tokens.open(dataDir);
        String text = tokens.mint(Token.Kind.MEMBER, "team-a").text();
        String secret = text.substring(text.indexOf('.') + 1);

        for (Path file :
                new Path[] {
                    dataDir.resolve("tokens"), Tokens.adminFile(dataDir), Tokens.joinFile(dataDir)
                }) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        assertThat(dataDir.resolve("tokens")).content().contains("team-a").doesNotContain(secret);
    }

    @Test
    void tokensOutliveARestartAndTheFirstOnesAreNotMadeAgain() throws IOException {
        Tokens before = Tokens.open(dataDir);
        String text = before.mint(Token.Kind.MEMBER, "team-a").text();
        Files.delete(Tokens.adminFile(dataDir));

        Tokens after = Tokens.open(dataDir);

        assertThat(after.callerOf(text))
                .isInstanceOfSatisfying(
                        Caller.Member.class,
                        member -> assertThat(member.tenant()).isEqualTo(new TenantId("team-a")));
        assertThat(Tokens.adminFile(dataDir)).doesNotExist();
        assertThat(after.matching(token -> true)).hasSize(3);
    }

    @Test
    void aDamagedFileIsRefusedWithAWayOut() throws IOException {
        Tokens.open(dataDir);
        Path file = dataDir.resolve("tokens");
        for (String text :
                new String[] {"", "garbage\n", "a\tADMIN\t\tb\tyesterday\n", "a\tKING\t\tb\tc\n"}) {
            Files.writeString(file, text);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> Tokens.open(dataDir))
                    .withMessageContaining(file + ", line 1: expected a token")
                    .withMessageContaining("move it away");
        }
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Tokens.open(dataDir))
                .withMessageContaining("bytes that are no text");
    }

    @Test
    void aRevokedTokenIsWorthlessAtOnceAndForGood() {
        Tokens tokens = Tokens.open(dataDir);
        var minted = tokens.mint(Token.Kind.MEMBER, "team-a");

        assertThat(tokens.revoke(token -> token.id().equals(minted.token().id()))).isOne();

        assertThat(tokens.callerOf(minted.text())).isNull();
        assertThat(Tokens.open(dataDir).callerOf(minted.text())).isNull();
    }

    @Test
    void aTokenWithAnotherSecretIsInvalid() {
        Tokens tokens = Tokens.open(dataDir);
        String text = tokens.mint(Token.Kind.ADMIN, "").text();

        assertThat(tokens.callerOf(text + "x")).isNull();
        assertThat(tokens.callerOf(text.substring(0, text.indexOf('.') + 1))).isNull();
        assertThat(tokens.callerOf("")).isNull();
        assertThat(tokens.callerOf("nonsense.nonsense")).isNull();
    }

    @Test
    void withoutATokenOnlyAnOpenServerTakesOneForTheAdministrator() {
        Tokens tokens = Tokens.open(dataDir);
        String text = tokens.mint(Token.Kind.MEMBER, "team-a").text();
        var open = new Authenticator(tokens, false);
        var closed = new Authenticator(tokens, true);

        assertThat(open.callerOf(null)).isEqualTo(new Caller.Admin("local"));
        assertThat(closed.callerOf(null)).isNull();
        assertThat(open.callerOf("bearer " + text)).isInstanceOf(Caller.Member.class);
        assertThat(closed.callerOf("Bearer " + text)).isInstanceOf(Caller.Member.class);
        assertThat(open.callerOf("Bearer wrong")).isNull();
        assertThat(open.callerOf("Basic " + text)).isNull();
    }

    @Test
    void aMemberTouchesOnlyItsOwn() {
        var member = new Caller.Member(new TenantId("a"), "tok-1");

        assertThat(member.mayTouch(new TenantId("a"))).isTrue();
        assertThat(member.mayTouch(new TenantId("b"))).isFalse();
        assertThat(new Caller.Joiner("tok-2").mayTouch(new TenantId("a"))).isFalse();
        assertThat(new Caller.Admin("admin").mayTouch(new TenantId("b"))).isTrue();
    }
}
