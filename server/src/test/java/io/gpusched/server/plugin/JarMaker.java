package io.gpusched.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Compiles sources and packs them into a jar.
public final class JarMaker {
    private JarMaker() {}

    /// @param sources Java source by the class's simple name
    /// @param services the classes listed under each interface's full name
    public static Path make(
            Path folder, String name, Map<String, String> sources, Map<String, String> services)
            throws IOException {
        Path classes = Files.createTempDirectory(folder, "classes");
        compile(sources, classes);
        Path jar = Files.createDirectories(folder.resolve("plugins")).resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                var out = new JarOutputStream(file)) {
            for (Path path : files(classes)) {
                add(out, classes.relativize(path).toString(), Files.readAllBytes(path));
            }
            for (var service : services.entrySet()) {
                byte[] lines = service.getValue().getBytes(StandardCharsets.UTF_8);
                add(out, "META-INF/services/" + service.getKey(), lines);
            }
        }
        return jar;
    }

    private static void compile(Map<String, String> sources, Path into) {
        var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
        var units = new ArrayList<JavaFileObject>();
        sources.forEach((name, source) -> units.add(new Source(name, source)));
        var options = List.of("-d", into.toString(), "-proc:none", "-cp", classPath());
        assertThat(compiler.getTask(null, null, null, options, null, units).call())
                .as("the sources compile")
                .isTrue();
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(bytes);
        out.closeEntry();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
