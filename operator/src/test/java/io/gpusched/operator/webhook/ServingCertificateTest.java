package io.gpusched.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

final class ServingCertificateTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<String> NAMES = List.of("hook.gpu.svc", "hook.gpu");

    private final ServingCertificate made =
            ServingCertificate.make(NAMES, NOW, Duration.ofDays(90));

    @Test
    void theJdkReadsItAndFindsItsSignatureRight() throws GeneralSecurityException {
        var certificate = made.certificate();

        certificate.verify(certificate.getPublicKey());
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=hook.gpu.svc");
        assertThat(certificate.getNotBefore().toInstant()).isEqualTo("2025-12-31T23:00:00Z");
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo("2026-04-01T00:00:00Z");
        assertThat(certificate.getBasicConstraints()).isNotNegative();
        assertThat(certificate.getKeyUsage()).startsWith(true, false, false, false, false, true);
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(certificate.getSerialNumber()).isPositive();
    }

    @Test
    void itIsGoodForItsNamesUntilItsEnd() {
        assertThat(made.isGoodFor(NAMES, NOW.plus(Duration.ofDays(89)))).isTrue();
        assertThat(made.isGoodFor(NAMES, NOW.plus(Duration.ofDays(90)))).isFalse();
        assertThat(made.isGoodFor(List.of("hook.gpu.svc"), NOW)).isFalse();
    }

    @Test
    void itIsReadAsItWasWritten() throws GeneralSecurityException {
        var again = ServingCertificate.read(made.certificatePem(), made.keyPem());

        assertThat(again).isEqualTo(made);
        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> ServingCertificate.read(made.certificatePem(), "%%%"));
        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> ServingCertificate.read("", made.keyPem()));
    }

    @Test
    void aLongLifeHasFourDigitsOfItsYear() throws GeneralSecurityException {
        var longLived = ServingCertificate.make(NAMES, NOW, Duration.ofDays(36_500));

        assertThat(longLived.certificate().getNotAfter().toInstant())
                .isEqualTo("2125-12-08T00:00:00Z");
    }

    @Test
    void valuesAreEncodedAsTheStandardSays() {
        assertThat(hex(Der.identifier("1.2.840.10045.4.3.2"))).isEqualTo("06082a8648ce3d040302");
        assertThat(hex(Der.integer(BigInteger.valueOf(128)))).isEqualTo("02020080");
        assertThat(hex(Der.octets(new byte[200]))).startsWith("0481c8").hasSize(2 * 203);
        assertThat(hex(Der.octets(new byte[300]))).startsWith("0482012c").hasSize(2 * 304);
        assertThat(hex(Der.sequence(Der.truth()))).isEqualTo("30030101ff");
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
