package io.lockstep.keys.pki;

import io.lockstep.keys.KeysException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes files so that a crash leaves the old one or the new one: into a temporary file, synced,
 * then renamed. Stateless.
 */
final class PemFiles {
  private static final String OWNER_ONLY = "rw-------";
  private static final String FOR_ALL = "rw-r--r--";
  private static final String DIRECTORY = "rwx------";
  private static final int LINE = 64;
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private PemFiles() {}

  /** A PEM text (RFC 7468). */
  static byte[] pem(String kind, byte[] der) {
    Base64.Encoder lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'});
    String text =
        "-----BEGIN "
            + kind
            + "-----\n"
            + lines.encodeToString(der)
            + "\n-----END "
            + kind
            + "-----\n";
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Writes a file that everyone may read; replaces the one that is there. */
  static void write(Path file, byte[] bytes) throws KeysException {
    write(file, bytes, FOR_ALL);
  }

  /** Writes a file that only its owner may read; replaces the one that is there. */
  static void writePrivate(Path file, byte[] bytes) throws KeysException {
    write(file, bytes, OWNER_ONLY);
  }

  private static void write(Path file, byte[] bytes, String permissions) throws KeysException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    try {
      Files.deleteIfExists(unfinished);
      try (FileChannel out =
          FileChannel.open(
              unfinished,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              attributes(OWNER_ONLY))) {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
          out.write(rest);
        }
        if (POSIX) {
          Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString(permissions));
        }
        out.force(true);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      sync(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  /**
   * Makes a directory that only its owner may enter, and those above it.
   *
   * @throws KeysException where something is there already, and has content
   */
  static void makeDirectory(Path directory) throws KeysException {
    try {
      Path above = directory.toAbsolutePath().getParent();
      if (above != null) {
        Files.createDirectories(above);
      }
      Files.createDirectory(directory, attributes(DIRECTORY));
    } catch (FileAlreadyExistsException e) {
      throw new KeysException(
          directory + " is there already", "name another, or move that one away");
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  private static FileAttribute<?>[] attributes(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /** Makes a rename last. */
  private static void sync(@Nullable Path directory) throws IOException {
    if (directory == null) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  static KeysException failed(Path path, IOException e) {
    return new KeysException(
        "cannot write " + path + ": " + e, "see to the file or directory named, and try again");
  }
}
