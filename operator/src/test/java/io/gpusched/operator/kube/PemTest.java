package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Objects;

final class PemTest {
    @Test
    void keysInTheFormOfPkcs1AreWrappedAsOpensslDoes()
            throws IOException, GeneralSecurityException {
        assertThat(Pem.privateKey(text("rsa-pkcs1.pem")))
                .isEqualTo(Pem.privateKey(text("rsa-pkcs8.pem")));
    }

    /// Openssl leaves the name of the curve out of the inner key, which is the same key.
    @Test
    void keysInTheFormOfSec1AreTheSameKeys() throws IOException, GeneralSecurityException {
        ECPrivateKey sec1 = ecKey("ec-sec1.pem");
        ECPrivateKey pkcs8 = ecKey("ec-pkcs8.pem");
        assertThat(sec1.getS()).isEqualTo(pkcs8.getS());
        assertThat(sec1.getParams().getOrder()).isEqualTo(pkcs8.getParams().getOrder());
    }

    private static ECPrivateKey ecKey(String name) throws IOException, GeneralSecurityException {
        var spec = new PKCS8EncodedKeySpec(Pem.privateKey(text(name)));
        return (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(spec);
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
