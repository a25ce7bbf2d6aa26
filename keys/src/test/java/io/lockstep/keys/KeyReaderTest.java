package io.lockstep.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.keys.pki.Authority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with one wrong byte anywhere: the error of any parser names the file. */
class KeyReaderTest {
  private static final byte[] WRONG = {0, 1, 0x30, (byte) 0x80, (byte) 0xff};

  @TempDir private Path temp;
  private Path directory;
  private X509Certificate authority;

  /** What is read. */
  private interface Reading {
    Object of(Path file) throws KeysException;
  }

  @BeforeEach
  void makeAuthority() throws KeysException {
    directory = temp.resolve("pki");
    Authority.init(directory, "c", 30, InstantSource.system(), new SecureRandom());
    authority = KeyReader.certificate(directory.resolve(KeyFiles.AUTHORITY));
  }

  private int damagesRefused(String file, Reading reading) throws IOException {
    Path damaged = temp.resolve("damaged");
    Files.deleteIfExists(damaged);
    Files.copy(directory.resolve(file), damaged, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    String[] lines = Files.readString(damaged).split("\n", -1);
    String body = String.join("", java.util.Arrays.copyOfRange(lines, 1, lines.length - 2));
    byte[] der = Base64.getDecoder().decode(body);
    int refused = 0;
    for (int at = 0; at < der.length; at++) {
      byte right = der[at];
      for (byte wrong : WRONG) {
        der[at] = wrong;
        String text =
            lines[0]
                + "\n"
                + Base64.getEncoder().encodeToString(der)
                + "\n"
                + lines[lines.length - 2];
        Files.write(damaged, text.getBytes(StandardCharsets.US_ASCII));
        refused += wrong != right && isRefused(damaged, reading) ? 1 : 0;
      }
      der[at] = right;
    }
    return refused;
  }

  private static boolean isRefused(Path damaged, Reading reading) {
    try {
      return reading.of(damaged) == null;
    } catch (KeysException e) {
      assertThat(e.getMessage()).startsWith(damaged.toString());
      return true;
    }
  }

  @Test
  void certificatesWithAWrongByteAreReadOrRefusedByName() throws Exception {
    assertThat(damagesRefused(KeyFiles.AUTHORITY, KeyReader::certificate)).isPositive();
  }

  @Test
  void listsWithAWrongByteAreRefusedByName() throws Exception {
    assertThat(damagesRefused(KeyFiles.REVOKED, file -> KeyReader.list(file, authority)))
        .isGreaterThan(100);
  }

  @Test
  void keysWithAWrongByteAreReadOrRefusedByName() throws Exception {
    assertThat(damagesRefused("authority.key", file -> KeyReader.privateKey(file, "EC")))
        .isPositive();
  }
}
