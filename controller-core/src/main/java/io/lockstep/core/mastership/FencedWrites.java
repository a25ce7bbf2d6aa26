package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;
import java.util.ArrayList;
import java.util.List;

/**
 * Micro component {@code fenced.writes}: several calls of {@link FencedWrite} as one operation.
 * Each stands alone: one whose fence or requirement fails writes nothing, and the others take
 * effect, in their order. Only what the store itself does not take, such as an entry for which
 * there is no room, refuses the whole operation; then the caller sends them one by one.
 */
public final class FencedWrites implements MicroComponent {

  /** Calls in one operation at most. */
  public static final int MAX_PARTS = 256;

  /** Bytes of all calls in one operation at most. */
  public static final int MAX_BYTES = 1 << 18;

  private static final int FORMAT = 1;
  private static final int MESSAGE_BYTES = 512;
  private static final CallParts PARTS =
      new CallParts("fenced writes", FORMAT, MAX_PARTS, MAX_BYTES);

  /** The arguments are those of {@link FencedWrite}. */
  public static final Component<List<Bytes>, Outcomes> COMPONENT =
      new Component<>("fenced.writes", PARTS.codec(), Codec.of(Outcomes::encode, Outcomes::decode));

  /**
   * What became of the calls.
   *
   * @param index at which those that were not refused took effect
   * @param refusals why a call was refused, or empty; one for each call, in their order
   */
  public record Outcomes(long index, List<String> refusals) {
    public Outcomes {
      refusals = List.copyOf(refusals);
    }

    /** The reply that a call would have had alone. */
    Reply reply(int part) {
      String why = refusals.get(part);
      return why.isEmpty()
          ? new Reply.Returned(FencedWrite.COMPONENT.result().encode(index))
          : new Reply.Rejected(Reply.Reason.COMPONENT_REFUSED, why);
    }

    private Bytes encode() {
      ByteWriter out = new ByteWriter().int64(index).varint(refusals.size());
      refusals.forEach(out::utf8);
      return out.toBytes();
    }

    private static Outcomes decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      long index = in.int64();
      int count = in.count(MAX_PARTS, 1);
      List<String> refusals = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        refusals.add(in.utf8(MESSAGE_BYTES));
      }
      in.end();
      return new Outcomes(index, refusals);
    }
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  /** That of the first call: a node gathers what its switches report, mostly of one kind. */
  @Override
  public String cause(Bytes argument) {
    ByteReader in = PARTS.open(argument);
    return in.count(MAX_PARTS, 1) == 0 ? name() : FencedWrite.causeOf(in.bytes(MAX_BYTES));
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) {
    List<String> refusals = new ArrayList<>();
    for (Bytes part : COMPONENT.argument().decode(argument)) {
      refusals.add(refusal(transaction, part));
    }
    return COMPONENT.result().encode(new Outcomes(transaction.index(), refusals));
  }

  /** Carries out one call; empty where that was not refused. Its checks come before its writes. */
  private static String refusal(Transaction transaction, Bytes part) {
    try {
      FencedWrite.apply(transaction, FencedWrite.COMPONENT.argument().decode(part));
      return "";
    } catch (Refusal refused) {
      return String.valueOf(refused.getMessage());
    }
  }
}
