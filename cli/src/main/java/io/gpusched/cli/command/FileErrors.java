package io.gpusched.cli.command;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/// Describes a file error in plain words.
public final class FileErrors {
    private FileErrors() {}

    public static String of(IOException problem) {
        return switch (problem) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "permission denied";
            default -> String.valueOf(problem.getMessage());
        };
    }
}
