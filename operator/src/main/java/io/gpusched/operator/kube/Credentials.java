package io.gpusched.operator.kube;

/// Who we are to an API server.
interface Credentials {
    /// Nobody, or whoever a client certificate of the connection names.
    static Credentials none() {
        return new Fixed("", ClientCertificate.NONE, "no credentials");
    }

    /// The value of the header `Authorization`, or empty.
    String authorization();

    /// The certificate that connections present. A new one gets new connections.
    ClientCertificate certificate();

    /// Looks for newer credentials because the server refused these.
    ///
    /// @return whether another try may succeed
    boolean refresh();

    /// Where they come from, for messages; never what they are.
    String origin();

    /// Credentials that never change.
    record Fixed(String authorization, ClientCertificate certificate, String origin)
            implements Credentials {
        @Override
        public boolean refresh() {
            return false;
        }

        @Override
        public String toString() {
            return origin;
        }
    }
}
