package io.gpusched.agent.notice;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// Where a provider announces that it will take a machine away.
public interface NoticeSource {
    /// The forms of [#of], for help texts and errors.
    String FORMS = "aws, google, azure, file:PATH, or a provider with another address: aws=URL";

    /// When the machine will be taken away; null while nothing is announced.
    @Nullable Announcement read() throws IOException, InterruptedException;

    /// Reads the value of the option.
    ///
    /// @throws IllegalArgumentException if the text has none of the [#FORMS]
    static NoticeSource of(String text) {
        if (text.startsWith("file:") && text.length() > 5) {
            return new FileNotice(Path.of(text.substring(5)).toAbsolutePath());
        }
        String[] parts = text.split("=", 2);
        URI other = parts.length == 2 ? URI.create(parts[1]) : null;
        if (other != null && (other.getHost() == null || other.getScheme() == null)) {
            throw new IllegalArgumentException("no address");
        }
        return switch (parts[0]) {
            case "aws" -> new AwsNotice(other == null ? ProviderHttp.LINK_LOCAL : other);
            case "azure" -> new AzureNotice(other == null ? ProviderHttp.LINK_LOCAL : other);
            case "google" -> new GoogleNotice(other == null ? ProviderHttp.GOOGLE : other);
            default -> throw new IllegalArgumentException("no provider of " + List.of(parts[0]));
        };
    }
}
