package io.gpusched.server.http;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/// The files of the web page, from the module `web`. Each file is read and compressed once.
final class PageFiles {
    /// @param tag changes with the content, so that a browser need not fetch the same bytes again
    @SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
    record PageFile(String type, String tag, byte[] plain, byte[] zipped) {}

    private static final String FOLDER = "/io/gpusched/web/";
    static final String INDEX = "index.html";

    /// A segment that can only name a file or folder below [#FOLDER].
    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

    private static final Map<String, String> TYPES =
            Map.of(
                    "html", "text/html; charset=utf-8",
                    "js", "text/javascript; charset=utf-8",
                    "css", "text/css; charset=utf-8",
                    "svg", "image/svg+xml",
                    "md", "text/plain; charset=utf-8",
                    "LICENSE", "text/plain; charset=utf-8");

    private final Map<String, PageFile> files = new ConcurrentHashMap<>();

    /// The file at a path such as `lib/api.js`; null if there is none.
    @Nullable PageFile at(String path) {
        PageFile known = files.get(path);
        if (known != null) {
            return known;
        }
        PageFile read = read(path);
        if (read != null) {
            files.put(path, read);
        }
        return read;
    }

    /// The source expression that lets a browser accept the import map of the start page although
    /// the content security policy allows no other inline script.
    String importMapHash() {
        PageFile index = at(INDEX);
        if (index == null) {
            throw new IllegalStateException("the module web has no " + INDEX);
        }
        Matcher map = IMPORT_MAP.matcher(new String(index.plain, StandardCharsets.UTF_8));
        if (!map.find()) {
            throw new IllegalStateException(INDEX + " has no import map");
        }
        byte[] digest = sha256(map.group(1).getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }

    private static @Nullable PageFile read(String path) {
        String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
        if (type == null && path.endsWith("/LICENSE")) {
            type = TYPES.get("LICENSE");
        }
        if (type == null || !isBelowFolder(path)) {
            return null;
        }
        try (InputStream in = PageFiles.class.getResourceAsStream(FOLDER + path)) {
            return in == null ? null : file(type, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isBelowFolder(String path) {
        for (String segment : path.split("/", -1)) {
            if (!SEGMENT.matcher(segment).matches()) {
                return false;
            }
        }
        return true;
    }

    private static PageFile file(String type, byte[] content) {
        String tag = HexFormat.of().formatHex(sha256(content), 0, 12);
        return new PageFile(type, '"' + tag + '"', content, zipped(content));
    }

    private static byte[] zipped(byte[] content) {
        var bytes = new ByteArrayOutputStream(content.length / 2);
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] sha256(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
