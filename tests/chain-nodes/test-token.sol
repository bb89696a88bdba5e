// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// A token of test chains. The account that creates it owns all tokens. compile-token.cjs writes test-token.json from it.
contract TestToken {
  string public constant name = "Test token";
  string public constant symbol = "TEST";
  uint8 public immutable decimals;
  uint256 public immutable totalSupply;
  mapping(address => uint256) public balanceOf;

  event Transfer(address indexed from, address indexed to, uint256 value);

  constructor(uint8 places) {
    decimals = places;
    totalSupply = 10 ** (9 + uint256(places));
    balanceOf[msg.sender] = totalSupply;
    emit Transfer(address(0), msg.sender, totalSupply);
  }

  function transfer(address to, uint256 value) public returns (bool) {
    require(balanceOf[msg.sender] >= value, "too few tokens");
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }

  /// Many transfers in one transaction, as a multi-signature wallet sends a batch.
  function transferMany(address[] calldata to, uint256[] calldata values) external {
    for (uint256 n = 0; n < to.length; n++) transfer(to[n], values[n]);
  }
}
