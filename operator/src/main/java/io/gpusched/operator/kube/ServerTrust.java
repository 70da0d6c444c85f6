package io.gpusched.operator.kube;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/// Which API server is believed to be the right one.
///
/// @param authorities empty for those that the JDK trusts
/// @param isAnyone true accepts any certificate (`insecure-skip-tls-verify`)
/// @param serverName the name that the certificate must have; empty for the host of the address
record ServerTrust(List<X509Certificate> authorities, boolean isAnyone, String serverName) {
    /// A TLS context that asks for this server and presents this certificate.
    SSLContext context(ClientCertificate certificate) throws GeneralSecurityException {
        var context = SSLContext.getInstance("TLS");
        context.init(keys(certificate), trusted(), null);
        return serverName.isEmpty() ? context : Named.of(context, serverName);
    }

    private static KeyManager[] keys(ClientCertificate certificate)
            throws GeneralSecurityException {
        if (!certificate.isPresent()) {
            return new KeyManager[0];
        }
        var store = empty();
        store.setKeyEntry(
                "client",
                certificate.keys().getFirst(),
                new char[0],
                certificate.chain().toArray(new Certificate[0]));
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private TrustManager[] trusted() throws GeneralSecurityException {
        if (isAnyone) {
            return new TrustManager[] {new Anyone()};
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (authorities.isEmpty()) {
            factory.init((KeyStore) null);
        } else {
            var store = empty();
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            factory.init(store);
        }
        return factory.getTrustManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new KeyManagementException(e);
        }
        return store;
    }

    /// An extended trust manager, because the JDK adds the comparison of names to any other.
    private static final class Anyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /// Makes engines for another host than the one that is connected to: the JDK compares the
    /// certificate with the host of the engine.
    private static final class Named extends SSLContextSpi {
        private final SSLContext plain;
        private final String host;

        private Named(SSLContext plain, String host) {
            this.plain = plain;
            this.host = host;
        }

        static SSLContext of(SSLContext plain, String host) {
            return new SSLContext(
                    new Named(plain, host), plain.getProvider(), plain.getProtocol()) {};
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String connected, int port) {
            return plain.createSSLEngine(host, port);
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return plain.createSSLEngine();
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return plain.getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return plain.getServerSocketFactory();
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trusted, SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("the context that it was made of is initialized");
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return plain.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return plain.getClientSessionContext();
        }
    }
}
