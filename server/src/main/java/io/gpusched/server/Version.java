package io.gpusched.server;

/// The version of this build, as its jar states it.
final class Version {
    private Version() {}

    static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
