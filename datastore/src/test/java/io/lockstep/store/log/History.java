package io.lockstep.store.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes decisions that continue each other. */
public final class History {
  private History() {}

  /** The decision that follows another. */
  public static Decision next(Decision before, int regency, byte[] value) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(before.chain());
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, before.instance() + 1));
      return new Decision(before.instance() + 1, regency, digest.digest(value), value);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** So many decisions after another, with values of 0 to {@code maxBytes} bytes. */
  public static List<Decision> after(Decision before, int count, int maxBytes, long seed) {
    Random random = new Random(seed);
    List<Decision> made = new ArrayList<>();
    Decision last = before;
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(maxBytes + 1)];
      random.nextBytes(value);
      last = next(last, (int) (seed & 0xff), value);
      made.add(last);
    }
    return made;
  }

  /** What two decisions are compared by. */
  public static String text(Decision decision) {
    return decision.instance()
        + "/"
        + decision.regency()
        + "/"
        + ByteBuffer.wrap(decision.chain()).getLong()
        + "/"
        + new String(decision.value(), StandardCharsets.ISO_8859_1);
  }

  /** {@link #text} of each. */
  public static List<String> texts(List<Decision> decisions) {
    return decisions.stream().map(History::text).toList();
  }
}
