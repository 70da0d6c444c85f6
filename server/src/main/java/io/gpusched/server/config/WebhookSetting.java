package io.gpusched.server.config;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A receiver of alerts. Its address may be a secret too: whoever knows the address of a Slack
/// webhook can write to its channel. So neither the address nor the secret is in any text.
///
/// @param secret signs each message; empty for no signature
/// @param severities lower-case names of severities that are sent; empty for all
/// @param alerts the alerts that are sent; empty for all
public record WebhookSetting(
        String name,
        URI url,
        Format format,
        String secret,
        Set<String> severities,
        Set<AlertName> alerts) {

    /// How a message is written.
    public enum Format {
        JSON,
        SLACK
    }

    private static final List<String> FIELDS =
            List.of(
                    "name",
                    "url",
                    "url_file",
                    "format",
                    "secret",
                    "secret_file",
                    "severities",
                    "alerts");
    private static final List<String> SEVERITIES = List.of("info", "warning", "critical");
    private static final int LONGEST_NAME = 63;

    public WebhookSetting {
        severities = Set.copyOf(severities);
        alerts = Set.copyOf(alerts);
    }

    static WebhookSetting of(ListItem item, boolean allowHttp) {
        String name = item.fields().getOrDefault("name", "");
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]*") || name.length() > LONGEST_NAME) {
            throw new ConfigException(
                    "name: expected a name of up to 63 letters, digits, dots and dashes for each"
                            + " webhook, found \""
                            + name
                            + '"');
        }
        for (String field : item.fields().keySet()) {
            if (!FIELDS.contains(field)) {
                throw fault(name, field, "expected one of " + String.join(", ", FIELDS));
            }
        }
        return new WebhookSetting(
                name,
                url(name, secret(item, name, "url"), allowHttp),
                format(name, item.fields().getOrDefault("format", "json")),
                secret(item, name, "secret"),
                Set.copyOf(words(item, name, "severities", SEVERITIES, word -> word)),
                words(item, name, "alerts", shownNames(), WebhookSetting::alert));
    }

    /// Throws a [ConfigException] if two webhooks have the same name.
    static List<WebhookSetting> checked(List<WebhookSetting> all, String where) {
        var names = new HashSet<String>();
        for (WebhookSetting one : all) {
            if (!names.add(one.name)) {
                throw new ConfigException(
                        "alerts.webhooks (%s): expected each name once, found %s twice"
                                .formatted(where, one.name));
            }
        }
        return all;
    }

    private static URI url(String name, String text, boolean allowHttp) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException notAUrl) {
            // Without the cause: its message repeats the address.
            throw fault(name, "url", "expected an address such as https://example.org/hook");
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        String host = url.getHost() == null ? "" : url.getHost().replaceAll("[\\[\\]]", "");
        if (host.isEmpty() || !List.of("http", "https").contains(scheme)) {
            throw fault(name, "url", "expected an address such as https://example.org/hook");
        }
        if (url.getUserInfo() != null) {
            throw fault(name, "url", "expected no user and password in the address; use secret");
        }
        if (scheme.equals("http") && !allowHttp && !Loopback.is(host)) {
            throw fault(
                    name,
                    "url",
                    "expected https: for another machine than this one, found http:; use https, or"
                            + " set alerts.allow_http: true");
        }
        return url;
    }

    private static Format format(String name, String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "json" -> Format.JSON;
            case "slack" -> Format.SLACK;
            default -> throw fault(name, "format", "expected json or slack, found \"" + text + '"');
        };
    }

    /// The value of a field, or the first line of the file that `<field>_file` names.
    private static String secret(ListItem item, String name, String field) {
        String value = item.fields().getOrDefault(field, "").strip();
        String file = item.fields().getOrDefault(field + "_file", "").strip();
        if (!value.isEmpty() && !file.isEmpty()) {
            throw fault(name, field, "expected either " + field + " or " + field + "_file");
        }
        if (file.isEmpty()) {
            return value;
        }
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            value = lines.findFirst().orElse("").strip();
        } catch (IOException | RuntimeException unreadable) {
            throw new ConfigException(
                    "%s_file of webhook %s: expected a readable text file, cannot read %s"
                            .formatted(field, name, file),
                    unreadable);
        }
        if (value.isEmpty()) {
            throw fault(name, field + "_file", "expected one line of text in " + file);
        }
        return value;
    }

    private static <T> Set<T> words(
            ListItem item,
            String name,
            String field,
            List<String> known,
            Function<String, T> reader) {
        String text = item.fields().getOrDefault(field, "");
        if (text.isBlank()) {
            return Set.of();
        }
        List<String> words = List.of(text.split("\\|", -1)).stream().map(String::strip).toList();
        for (String word : words) {
            if (!known.contains(word)) {
                throw fault(
                        name,
                        field,
                        "expected some of %s, found \"%s\""
                                .formatted(String.join("|", known), word));
            }
        }
        return words.stream().map(reader).collect(Collectors.toUnmodifiableSet());
    }

    private static List<String> shownNames() {
        return Stream.of(AlertName.values()).map(AlertName::shown).toList();
    }

    private static AlertName alert(String shown) {
        return Stream.of(AlertName.values())
                .filter(name -> name.shown().equals(shown))
                .findFirst()
                .orElseThrow();
    }

    private static ConfigException fault(String name, String field, String message) {
        return new ConfigException("%s of webhook %s: %s".formatted(field, name, message));
    }

    /// Without the address and the secret.
    @Override
    public String toString() {
        return "webhook " + name;
    }
}
