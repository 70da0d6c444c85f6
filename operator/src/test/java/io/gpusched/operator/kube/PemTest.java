package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Objects;

final class PemTest {
    @ParameterizedTest
    @CsvSource({"rsa-pkcs1.pem, rsa-pkcs8.pem", "ec-sec1.pem, ec-pkcs8.pem"})
    void olderFormsOfKeysAreWrappedAsOpensslDoes(String older, String pkcs8)
            throws IOException, GeneralSecurityException {
        assertThat(Pem.privateKey(text(older))).isEqualTo(Pem.privateKey(text(pkcs8)));
    }

    @Test
    void aKeyWithAPassphraseIsRefusedWithTheRemedy() throws IOException {
        String encrypted = text("encrypted.pem");
        assertThatThrownBy(() -> Pem.privateKey(encrypted))
                .hasMessage("the key has a passphrase; decrypt it with `openssl pkey`");
    }

    @Test
    void whatHasNoCertificateIsRefused() throws IOException {
        String key = text("ec-sec1.pem");
        assertThatThrownBy(() -> Pem.certificates(key))
                .hasMessage("it contains no certificate in PEM form");
        assertThatThrownBy(() -> Pem.privateKey("nothing"))
                .hasMessage("it contains no private key in PEM form");
    }

    static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(PemTest.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
