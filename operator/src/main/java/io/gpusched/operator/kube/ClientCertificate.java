package io.gpusched.operator.kube;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

/// A certificate with its private key, by which a client names itself.
///
/// @param chain empty for no certificate
/// @param keys exactly one key if there is a chain
record ClientCertificate(List<X509Certificate> chain, List<PrivateKey> keys) {
    static final ClientCertificate NONE = new ClientCertificate(List.of(), List.of());

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    /// @param certificates PEM
    /// @param key PEM: PKCS#8, PKCS#1 or SEC1
    static ClientCertificate of(String certificates, String key) throws GeneralSecurityException {
        return new ClientCertificate(
                Pem.certificates(certificates), List.of(key(Pem.privateKey(key))));
    }

    private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
        var failed = new InvalidKeySpecException("it is no key of RSA, EC or Ed25519");
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                failed.addSuppressed(e);
            }
        }
        throw failed;
    }

    boolean isPresent() {
        return !chain.isEmpty();
    }
}
