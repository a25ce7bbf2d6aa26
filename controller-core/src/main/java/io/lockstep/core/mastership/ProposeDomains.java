package io.lockstep.core.mastership;

import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.store.Bytes;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;

/**
 * Micro component {@code domains.propose}: writes the next version of the domains, if the newest
 * version is the one that the caller decided on. The first version is in force at once: no node
 * acts on a switch before it. Every later one waits until all living nodes follow ({@link
 * FollowDomains}); it replaces one that still waits.
 */
public final class ProposeDomains implements MicroComponent {

  private static final int FORMAT = 1;

  /** Refuses a map that would move too many switches at once. */
  public static final Component<Proposal, Answer> COMPONENT =
      new Component<>(
          "domains.propose",
          Codec.of(Proposal::encode, Proposal::decode),
          Codec.of(Answer::encode, Answer::decode));

  /**
   * What the caller asks for.
   *
   * @param decidedOn the newest version that the caller knew; 0 for none
   */
  public record Proposal(long decidedOn, DomainMap map) {
    private Bytes encode() {
      ByteWriter out = new ByteWriter().int8(FORMAT).int64(decidedOn);
      DomainsTable.write(out, map);
      return out.toBytes();
    }

    private static Proposal decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      in.version(FORMAT, "proposal of domains");
      Proposal proposal = new Proposal(in.int64(), DomainsTable.read(in));
      in.end();
      return proposal;
    }
  }

  /**
   * What a proposal came to.
   *
   * @param accepted false where {@code decidedOn} is not the newest version
   * @param version the newest version now; the map's own where it was accepted
   */
  public record Answer(boolean accepted, long version) {
    private Bytes encode() {
      return new ByteWriter(9).flag(accepted).int64(version).toBytes();
    }

    private static Answer decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      Answer answer = new Answer(in.flag(), in.int64());
      in.end();
      return answer;
    }
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    Proposal proposal = COMPONENT.argument().decode(argument);
    long decidedOn = proposal.decidedOn();
    DomainMap map = proposal.map();
    DomainVersions versions = DomainVersions.read(transaction);
    StoredDomains newest = versions.newest();
    if (newest.version() != decidedOn) {
      return new Answer(false, newest.version()).encode();
    }
    if (newest.version() > 0 && newest.map().equals(map)) {
      return new Answer(true, newest.version()).encode();
    }
    if (versions.moved(transaction, map).keys().size() > DomainVersions.MAX_MOVED) {
      throw new Refusal(
          "more than "
              + DomainVersions.MAX_MOVED
              + " switches with epochs of their own would move: move fewer at once");
    }
    StoredDomains proposed = StoredDomains.of(decidedOn + 1, 0, map);
    DomainVersions.put(
        transaction, decidedOn == 0 ? DomainsTable.CURRENT : DomainsTable.NEXT, proposed);
    return new Answer(true, proposed.version()).encode();
  }
}
