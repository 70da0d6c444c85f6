package io.gpusched.conventions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A copy of `bin/` in a directory of its own, with a JDK and a Maven that are shell scripts: the
/// JDK prints its arguments, Maven makes empty jars and records the modules of each call.
final class FakeClone {
    record Ended(int code, String out, String err) {}

    private final Path home;
    private final Path root;

    FakeClone(Path folder) throws IOException {
        home = folder;
        root = Files.createDirectories(folder.resolve("a clone $HOME"));
        Path bin = root.resolve("bin");
        Files.createDirectories(bin.resolve("lib"));
        Path real = Checkout.here().root().resolve("bin");
        for (String name :
                List.of(
                        "gpu-cli",
                        "scheduler",
                        "agent",
                        "gateway",
                        "operator",
                        "lab",
                        "lib/launch.sh")) {
            Files.copy(real.resolve(name), bin.resolve(name));
        }
        jdk("jdk", "25.0.1");
        script("tools/mvn", FAKE_MAVEN);
        source("cli", Instant.now().minusSeconds(60));
        source("core", Instant.now().minusSeconds(60));
    }

    private static final String FAKE_MAVEN =
            """
            #!/bin/sh
            while [ $# -gt 0 ]; do
                case $1 in -f) root=${2%/pom.xml} ;; -pl) modules=$2 ;; esac
                shift
            done
            echo "$modules" >> "$root/builds"
            modules=$(echo "$modules" | tr ',' ' ')
            count=$(echo $modules | wc -w)
            at=0
            for module in $modules; do
                at=$((at + 1))
                echo "[INFO] Building $module 1.0.0             [$at/$((count))]"
                echo "[INFO] Building jar: $root/$module/target/$module.jar"
                if [ -p "$root/hold" ]; then exec cat "$root/hold"; fi
            done
            if [ -f "$root/broken" ]; then echo "it does not compile"; exit 1; fi
            for module in $modules; do
                mkdir -p "$root/$module/target/lib" && : > "$root/$module/target/$module.jar"
            done
            """;

    Path jdk(String name, String version) throws IOException {
        script(name + "/bin/java", "#!/bin/sh\nfor a in \"$@\"; do echo \"[$a]\"; done\n");
        Path jdk = home.resolve(name);
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return jdk;
    }

    void source(String module, Instant changed) throws IOException {
        Path main = Files.createDirectories(root.resolve(module).resolve("src/main"));
        for (Path path : List.of(root.resolve("pom.xml"), main.resolve("A.java"), main)) {
            if (!Files.exists(path)) {
                Files.createFile(path);
            }
            Files.setLastModifiedTime(path, FileTime.from(changed));
        }
    }

    Path root() {
        return root;
    }

    /// The `-pl` argument of every call of Maven, in order.
    List<String> builds() throws IOException {
        Path builds = root.resolve("builds");
        return Files.exists(builds) ? Files.readAllLines(builds) : List.of();
    }

    Ended run(String launcher, String... arguments) throws Exception {
        return finish(start(root.resolve("bin").resolve(launcher), "jdk", arguments));
    }

    Process start(Path launcher, String jdk, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command).directory(home.toFile());
        process.environment().put("PATH", home.resolve("tools") + ":/usr/bin:/bin");
        process.environment().put("GPU_SCHEDULER_JAVA_HOME", home.resolve(jdk).toString());
        process.environment().remove("GPU_SCHEDULER_JAVA_OPTS");
        return process.start();
    }

    static Ended finish(Process process) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), out, err);
    }

    private void script(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }
}
