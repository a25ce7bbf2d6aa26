package io.lockstep.core.mastership;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.FollowerTable;
import io.lockstep.core.cluster.FollowerTable.Follower;
import io.lockstep.core.cluster.NodeRecord;
import io.lockstep.core.cluster.NodeTable;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Micro component {@code domains.follow}: a node says that it no longer acts on any switch whose
 * domain changes with the version on its way. The last living node to say so brings that version
 * into force, in the same step. So no two nodes act on different versions at any time, and a switch
 * that moves has no master in between.
 *
 * <p>With a version that comes into force every domain that loses or gains a switch begins a new
 * epoch, above all epochs that any of its switches has seen. So what an old master still writes is
 * fenced, and the generation ids that a switch sees always grow.
 */
public final class FollowDomains implements MicroComponent {

  private static final int FORMAT = 1;
  private static final NodeTable NODES = new NodeTable();
  private static final FollowerTable FOLLOWERS = new FollowerTable();
  private static final DomainTable DOMAINS = new DomainTable();

  /** Called by the client whose session is the node's. Returns nothing. */
  public static final Component<Ready, Bytes> COMPONENT =
      new Component<>("domains.follow", Codec.of(Ready::encode, Ready::decode), Codec.bytes());

  /**
   * What a node says.
   *
   * @param version the one that the node is ready for
   */
  public record Ready(String node, long version) {
    private Bytes encode() {
      return new ByteWriter().int8(FORMAT).utf8(node).int64(version).toBytes();
    }

    private static Ready decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      in.version(FORMAT, "follower of domains");
      Ready ready = new Ready(in.utf8(DomainTable.MAX_NAME_BYTES), in.int64());
      in.end();
      return ready;
    }
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    Ready ready = COMPONENT.argument().decode(argument);
    String node = ready.node();
    Follower follower = new Follower(transaction.callerSession(), ready.version());
    if (!transaction.sessionAlive(follower.sessionId())) {
      throw new Refusal("the session of " + node + " has ended");
    }
    transaction.put(FollowerTable.NAME, FOLLOWERS.encodeKey(node), FOLLOWERS.encodeValue(follower));
    DomainVersions versions = DomainVersions.read(transaction);
    StoredDomains next = versions.next();
    if (next != null && allFollow(transaction, next.version())) {
      bringIntoForce(transaction, versions, next);
    }
    return Bytes.empty();
  }

  private static boolean allFollow(Transaction transaction, long version) {
    for (Entry entry : DomainVersions.entries(transaction, NodeTable.NAME)) {
      NodeRecord node = NODES.decodeValue(entry.value());
      if (transaction.sessionAlive(node.sessionId())) {
        Entry known = transaction.get(FollowerTable.NAME, entry.key());
        Follower follower = known == null ? null : FOLLOWERS.decodeValue(known.value());
        if (follower == null
            || follower.sessionId() != node.sessionId()
            || follower.version() < version) {
          return false;
        }
      }
    }
    return true;
  }

  private static void bringIntoForce(
      Transaction transaction, DomainVersions versions, StoredDomains next) throws Refusal {
    DomainMap old = versions.current().map();
    DomainVersions.Moved moved = versions.moved(transaction, next.map());
    Map<String, DomainRecord> records = new HashMap<>();
    long floor = Math.max(versions.current().epochFloor(), moved.epoch());
    for (DomainMap map : List.of(old, next.map())) {
      for (DomainConfig domain : map.domains()) {
        Entry entry = transaction.get(DomainTable.NAME, DOMAINS.encodeKey(domain.name()));
        if (entry != null) {
          DomainRecord record = DOMAINS.decodeValue(entry.value());
          records.put(domain.name(), record);
          floor = Math.max(floor, record.epoch());
        }
      }
    }
    if (floor + 1 >= DomainRecord.MAX_EPOCH) {
      throw new Refusal("no epoch is left above " + floor);
    }
    // The versions first: whoever reads a new epoch finds the new version, too.
    DomainVersions.put(
        transaction, DomainsTable.CURRENT, StoredDomains.of(next.version(), floor, next.map()));
    transaction.remove(DomainsTable.NAME, new DomainsTable().encodeKey(DomainsTable.NEXT));
    moved.keys().forEach(key -> transaction.remove(DelegationTable.NAME, key));
    for (DomainConfig domain : old.domains()) {
      if (next.map().named(domain.name()) == null) {
        transaction.remove(DomainTable.NAME, DOMAINS.encodeKey(domain.name()));
      }
    }
    for (DomainConfig domain : next.map().domains()) {
      DomainConfig before = old.named(domain.name());
      if (before == null || !before.dpids().equals(domain.dpids())) {
        DomainRecord record = records.getOrDefault(domain.name(), new DomainRecord("", 0, 0, 0));
        DomainRecord raised =
            new DomainRecord(
                record.node(), record.sessionId(), floor + 1, transaction.timeMillis());
        transaction.put(
            DomainTable.NAME, DOMAINS.encodeKey(domain.name()), DOMAINS.encodeValue(raised));
      }
    }
  }
}
