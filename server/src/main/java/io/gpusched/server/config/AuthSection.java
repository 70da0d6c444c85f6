package io.gpusched.server.config;

import java.nio.file.Path;
import java.util.List;

/// Tokens that were made elsewhere. Whether tokens are required is part of [ApiSection], because it
/// depends on the address.
///
/// @param tokensDir the directory with their files; an empty path for none
public record AuthSection(Path tokensDir) {

    static final Setting<String> TOKENS_DIR =
            Setting.text(
                    "auth.tokens_dir",
                    "",
                    "A directory with tokens made elsewhere, in files named admin-token,"
                            + " agent-token and gateway-token; none when empty.");
    static final List<Setting<?>> KEYS = List.of(TOKENS_DIR);

    static AuthSection from(SettingValues settingValues) {
        return new AuthSection(Path.of(settingValues.of(TOKENS_DIR)));
    }

    /// Whether there is such a directory.
    public boolean hasTokens() {
        return !tokensDir.toString().isEmpty();
    }
}
