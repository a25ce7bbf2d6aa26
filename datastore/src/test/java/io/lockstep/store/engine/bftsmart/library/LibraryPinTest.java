package io.lockstep.store.engine.bftsmart.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

class LibraryPinTest {
  private static final ClassLoader LOADER = LibraryPinTest.class.getClassLoader();

  @Test
  void libraryOnTheClassPathIsThePinnedOne() {
    assertThat(LibraryPatches.fingerprint(LOADER)).isEqualTo(LibraryPatches.PINNED_SHA_256);
  }

  @Test
  void oneChangedByteChangesTheFingerprint() {
    ClassLoader tampering =
        new ClassLoader(LOADER) {
          @Override
          public @Nullable InputStream getResourceAsStream(String name) {
            InputStream original = super.getResourceAsStream(name);
            if (original == null || !name.equals("bftsmart/consensus/Epoch.class")) {
              return original;
            }
            try (original) {
              byte[] bytes = original.readAllBytes();
              bytes[bytes.length - 1] ^= 1;
              return new ByteArrayInputStream(bytes);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    assertThat(LibraryPatches.fingerprint(tampering)).isNotEqualTo(LibraryPatches.PINNED_SHA_256);
  }

  @Test
  void missingSiteIsCountedAsMissing() throws IOException {
    CallSiteRewriter rewriter = new CallSiteRewriter(new ClassWriter(0), true);
    new ClassReader("java.lang.Runnable").accept(rewriter, 0);
    assertThat(rewriter.guards()).isZero();
    assertThat(rewriter.sites()).isZero();
  }
}
