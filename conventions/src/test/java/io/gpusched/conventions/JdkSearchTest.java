package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How the launchers find a JDK, and what they print if there is none. The test requires version
/// 99, so that no JDK of this machine is found.
final class JdkSearchTest {
    private static final Path ROOT = Checkout.here().root();

    @TempDir private Path home;

    @Test
    void aLauncherNamesThePackagesToInstall() throws Exception {
        FakeClone.Ended ended = search();
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err())
                .contains("needs JDK 99 or newer, but found none")
                .contains("apt install openjdk-25-jdk-headless")
                .contains("dnf install java-25-openjdk-devel")
                .contains("brew install openjdk@25")
                .contains("GPU_SCHEDULER_JAVA_HOME");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".jdks/new-99",
                ".sdkman/candidates/java/99-tem",
                ".asdf/installs/java/temurin-99",
                ".local/share/mise/installs/java/99"
            })
    void aLauncherFindsAJdkInTheUsualPlaces(String place) throws Exception {
        FakeClone fake = new FakeClone(home);
        Path jdk = fake.jdk(place, "99.0.1");
        FakeClone.Ended ended = search();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out().strip()).isEqualTo(jdk.toString());
    }

    private FakeClone.Ended search() throws Exception {
        var search =
                new ProcessBuilder(
                        "sh",
                        "-c",
                        "self=$1/x; . \"$1/lib/launch.sh\"; needed_java=99; find_java;"
                                + " echo \"$java_home\"",
                        "sh",
                        ROOT.resolve("bin").toString());
        search.environment().put("HOME", home.toString());
        for (String name :
                List.of("GPU_SCHEDULER_JAVA_HOME", "JAVA_HOME", "JAVA25_HOME", "SDKMAN_DIR")) {
            search.environment().remove(name);
        }
        return FakeClone.finish(search.start());
    }

    /// Runs the real Maven, which stops before it compiles.
    @Test
    void mavenNamesThePackageToInstall() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mvn")), "Maven is not in /usr/bin");
        var command =
                new ArrayList<>(
                        List.of("mvn", "-B", "-o", "-N", "validate", "-Djava.toolchain=[99,)"));
        String repository = System.getProperty("maven.repo.local");
        if (repository != null) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        FakeClone.Ended ended =
                FakeClone.finish(new ProcessBuilder(command).directory(ROOT.toFile()).start());
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).contains("needs JDK 25 or newer: package openjdk-25-jdk-headless");
    }
}
