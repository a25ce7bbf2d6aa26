package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;
import java.util.OptionalLong;

/**
 * Micro component {@code mastership.claim}: makes the caller the master of a domain that has no
 * living master, in the next epoch; or raises the epoch of the caller's own domain above what a
 * switch has seen (a compare-and-set against the recorded epoch). Answers the record as it is then:
 * the claim was granted where the record's session is the caller's.
 */
public final class ClaimDomain implements MicroComponent {

  /** Format 1 had no version of the domains; logs may hold it. */
  private static final int FIRST_FORMAT = 1;

  private static final int FORMAT = 2;
  private static final DomainTable DOMAINS = new DomainTable();

  /** Returns the domain's record after the claim, granted or not. */
  public static final Component<Claim, DomainRecord> COMPONENT =
      new Component<>(
          "mastership.claim",
          Codec.of(Claim::encode, Claim::decode),
          Codec.of(DOMAINS::encodeValue, DOMAINS::decodeValue));

  /**
   * What a node asks for.
   *
   * @param node who claims; its session is the one that submits
   * @param minimumEpoch the epoch shall be at least this; 0 where any will do
   * @param domainsVersion the version of the domains that the claim was decided on; refused where
   *     another is in force. Empty only in a claim of format 1, where any will do
   */
  public record Claim(String domain, String node, long minimumEpoch, OptionalLong domainsVersion) {

    /** A claim that was decided on a version of the domains. */
    public static Claim of(String domain, String node, long minimumEpoch, long domainsVersion) {
      return new Claim(domain, node, minimumEpoch, OptionalLong.of(domainsVersion));
    }

    private Bytes encode() {
      return new ByteWriter()
          .int8(FORMAT)
          .utf8(domain)
          .utf8(node)
          .int64(minimumEpoch)
          .int64(domainsVersion.orElseThrow())
          .toBytes();
    }

    private static Claim decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      boolean first = bytes.length() > 0 && bytes.at(0) == FIRST_FORMAT;
      in.version(first ? FIRST_FORMAT : FORMAT, "claim");
      Claim claim =
          new Claim(
              in.utf8(DomainTable.MAX_NAME_BYTES),
              in.utf8(DomainTable.MAX_NAME_BYTES),
              in.int64(),
              first ? OptionalLong.empty() : OptionalLong.of(in.int64()));
      in.end();
      return claim;
    }
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    Claim claim = COMPONENT.argument().decode(argument);
    String domain = claim.domain();
    String node = claim.node();
    long minimumEpoch = claim.minimumEpoch();
    if (claim.domainsVersion().isPresent()) {
      checkVersion(transaction, claim.domainsVersion().getAsLong());
    }
    if (minimumEpoch < 0 || minimumEpoch >= DomainRecord.MAX_EPOCH) {
      throw new Refusal("epoch " + Long.toUnsignedString(minimumEpoch) + " is out of bounds");
    }
    if (!transaction.sessionAlive(transaction.callerSession())) {
      throw new Refusal("the session of " + node + " has ended");
    }
    Entry entry = transaction.get(DomainTable.NAME, DOMAINS.encodeKey(domain));
    DomainRecord old = entry == null ? null : DOMAINS.decodeValue(entry.value());
    DomainRecord now;
    if (old == null) {
      now = next(transaction, node, Math.max(1, minimumEpoch));
    } else if (old.sessionId() == transaction.callerSession()) {
      if (old.epoch() >= minimumEpoch) {
        return DOMAINS.encodeValue(old);
      }
      now = next(transaction, node, minimumEpoch);
    } else if (transaction.sessionAlive(old.sessionId())) {
      return DOMAINS.encodeValue(old);
    } else {
      now = next(transaction, node, Math.max(old.epoch() + 1, minimumEpoch));
    }
    transaction.put(DomainTable.NAME, DOMAINS.encodeKey(domain), DOMAINS.encodeValue(now));
    return DOMAINS.encodeValue(now);
  }

  private static void checkVersion(Transaction transaction, long decidedOn) throws Refusal {
    long inForce = DomainVersions.currentVersion(transaction);
    if (inForce != decidedOn) {
      throw new Refusal(
          "decided on version " + decidedOn + " of the domains, in force is version " + inForce);
    }
  }

  private static DomainRecord next(Transaction transaction, String node, long epoch) {
    return new DomainRecord(node, transaction.callerSession(), epoch, transaction.timeMillis());
  }
}
