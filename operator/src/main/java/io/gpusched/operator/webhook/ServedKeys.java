package io.gpusched.operator.webhook;

import org.jspecify.annotations.Nullable;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/// The certificate that a server shows, which may change while it serves. A handshake asks for it
/// in several steps, so the one before stays known.
final class ServedKeys extends X509ExtendedKeyManager {
    private record Pair(ServingCertificate now, @Nullable ServingCertificate before) {}

    private final AtomicReference<@Nullable Pair> pair = new AtomicReference<>();

    /// Shows this certificate from the next handshake on.
    void show(ServingCertificate certificate) {
        pair.updateAndGet(
                earlier -> {
                    if (earlier == null) {
                        return new Pair(certificate, null);
                    }
                    boolean isSame = alias(earlier.now).equals(alias(certificate));
                    return isSame ? earlier : new Pair(certificate, earlier.now);
                });
    }

    boolean isReady() {
        return pair.get() != null;
    }

    SSLContext context() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {this}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        Pair shown = pair.get();
        return shown == null || !keyType.equals("EC") ? null : alias(shown.now);
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, Socket socket) {
        Pair shown = pair.get();
        return shown == null || !keyType.equals("EC") ? null : alias(shown.now);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        ServingCertificate found = find(alias);
        return found == null ? null : new X509Certificate[] {found.certificate()};
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        ServingCertificate found = find(alias);
        return found == null ? null : found.key();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        Pair shown = pair.get();
        return shown == null ? new String[0] : new String[] {alias(shown.now)};
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[0];
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    private @Nullable ServingCertificate find(String alias) {
        Pair shown = pair.get();
        if (shown == null || alias(shown.now).equals(alias)) {
            return shown == null ? null : shown.now;
        }
        return shown.before != null && alias(shown.before).equals(alias) ? shown.before : null;
    }

    private static String alias(ServingCertificate certificate) {
        return certificate.certificate().getSerialNumber().toString(16);
    }
}
